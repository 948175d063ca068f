"""Carom: machines whose parts touch, knock, slide and roll.

A model is loaded from a file or built here, run, and looked at:

>>> import carom
>>> model = carom.Model("A ball on a table", plane="xy", gravity=[0, -9.81])
>>> ball = model.body("ball", mass="1 kg", inertia="0.004 kg m^2", position=[0, "1 m"])
>>> ball.geometry(shape="sphere", radius="0.1 m")
<carom.Section body.ball.geometry>
>>> model.ground.geometry(shape="plane")
<carom.Section ground.geometry>
>>> model.contact("rubber", stiffness="1e6 N/m", elastic="linear", law="exact", restitution=0.8)
<carom.Section contact.rubber>
>>> model.pair("bounce", bodies=["ball", "ground"], contact="rubber")
<carom.Section pair.bounce>
>>> model.solver(end=1)
<carom.Section solver>
>>> result = model.run()
>>> round(float(result["body:ball.y"].min()), 3)
0.096

Numbers are in SI; a text may have any unit: ``mass="5 g"``. Problems of a model are exceptions that name all of them.

Examples in the help of all other names go on from here: with this `model`, this `result`, ``simulation =
carom.Simulation(model)``, a `table` of a study, and `numpy`.
"""

from ._carom import (
    ComputationError,
    ContactReport,
    Error,
    InputError,
    Parameter,
    Problem,
    Quantity,
    RedundantRow,
    ResultError,
    SectionType,
    SimulationEvent,
    Snapshot,
    Structure,
    Summary,
    Type,
    block_types,
    contact_law_types,
    contact_solver_types,
    drive_types,
    elastic_shape_types,
    force_types,
    friction_law_types,
    integrator_types,
    joint_types,
    json_schema,
    load_plugin,
    model_sections,
    reference_page,
    scheme_types,
    version,
)
from .model import Model, Section, load
from .motion import MotionKind, Poincare, Spectrum, lyapunov, zero_one_test
from .parts import CallbackCost, callback_costs, contact_law, controller, drive, force, friction_law
from .result import Life, Picture, Result, Wear, open_result
from .simulation import Simulation
from .study import StudyTable, open_study, reductions, study

__version__ = version()

__all__ = [
    "CallbackCost",
    "ComputationError",
    "ContactReport",
    "Error",
    "InputError",
    "Life",
    "Model",
    "MotionKind",
    "Parameter",
    "Poincare",
    "Problem",
    "Quantity",
    "RedundantRow",
    "Result",
    "ResultError",
    "Section",
    "SectionType",
    "Simulation",
    "SimulationEvent",
    "Snapshot",
    "Spectrum",
    "Structure",
    "StudyTable",
    "Summary",
    "Type",
    "Wear",
    "block_types",
    "callback_costs",
    "contact_law",
    "contact_law_types",
    "contact_solver_types",
    "controller",
    "drive",
    "drive_types",
    "elastic_shape_types",
    "force",
    "force_types",
    "friction_law",
    "friction_law_types",
    "integrator_types",
    "joint_types",
    "json_schema",
    "load",
    "load_plugin",
    "lyapunov",
    "model_sections",
    "open_result",
    "open_study",
    "reductions",
    "reference_page",
    "scheme_types",
    "study",
    "version",
    "zero_one_test",
]
