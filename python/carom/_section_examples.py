"""Examples of the methods that are made from the catalogues, for their documentation. `model` is that of ``help(carom)``."""

EXAMPLES = {
    "model": """
>>> model.model(gravity=[0, "-1.62 m/s^2"])
<carom.Section model>
>>> round(model.run().time[-1], 3)
1.0
""",
    "parameters": """
>>> model.parameters(height="1 m")
<carom.Section parameters>
>>> model.body("ball", position=[0, "=height"])
<carom.Section body.ball>
>>> result = model.run(parameters={"height": "2 m"})
>>> float(result["body:ball.y"][0])
2.0
""",
    "material": """
>>> model.material("steel", density="7850 kg/m^3", young="210 GPa", poisson=0.3)
<carom.Section material.steel>
>>> model.body("ball").sections("geometry")[0]["material"] = "steel"
>>> model.validate()
[]
""",
    "body": """
>>> block = model.body("block", mass="2 kg", inertia=0.1, position=[1, "0.5 m"], velocity=["10 mm/s", 0])
>>> block.geometry(shape="box", size=["0.2 m", "0.1 m"])
<carom.Section body.block.geometry>
>>> model.body("block", mass="3 kg")["mass"]
'3 kg'
>>> model.validate()
[]
""",
    "section": """
>>> model.section("tube", shape="tube", diameter="20 mm", wall="2 mm")
<carom.Section section.tube>
>>> model.validate()
[]
>>> model.section("tube")["wall"]
'2 mm'
""",
    "beam": """
>>> rod = model.section("rod", shape="circle", diameter="10 mm")
>>> steel = model.material("steel", density=7850, young="210 GPa", poisson=0.3)
>>> model.beam("spoke", points=[[0, 2], [1, 2]], section="rod", material="steel", elements=4)
<carom.Section beam.spoke>
>>> model.validate()
[]
""",
    "joint": """
>>> model.joint("guide", type="prismatic", bodies=["ground", "ball"], at=[0, 0], axis=[0, 1])
<carom.Section joint.guide>
>>> model.check().degrees_of_freedom
1
""",
    "motion": """
>>> guide = model.joint("guide", type="prismatic", bodies=["ground", "ball"], at=[0, 0], axis=[0, 1])
>>> model.motion("lift", joint="guide", position="=1 + 0.01*sin(20*t)")
<carom.Section motion.lift>
>>> model.check().degrees_of_freedom
0
""",
    "force": """
>>> model.force("spring", type="spring", bodies=["ground", "ball"], ends=[[0, 2], [0, 1]], stiffness="100 N/m")
<carom.Section force.spring>
>>> model.run().unit("force:spring.length")
'm'
""",
    "signal": """
>>> model.signal("height", of="body:ball.y")
<carom.Section signal.height>
>>> model.signal("slow", type="first-order-lag", input="=height", time_constant="0.1 s", unit="m")
<carom.Section signal.slow>
>>> model.validate()
[]
""",
    "event": """
>>> model.event("top", when="=[body:ball.vy]", direction="falling", stop=True)
<carom.Section event.top>
>>> model.validate()
[]
""",
    "contact": """
>>> model.contact("rubber", restitution=0.5, friction=0.3)
<carom.Section contact.rubber>
>>> model.validate()
[]
""",
    "pair": """
>>> model.pair("bounce", allow_initial_penetration=True)
<carom.Section pair.bounce>
>>> model.validate()
[]
""",
    "bearing": """
>>> steel = model.material("steel", density=7850, young="207 GPa", poisson=0.3)
>>> races = model.contact("races", restitution=0.8, elastic="linear", stiffness="1e8 N/m")
>>> shaft = model.body("shaft", mass="1 kg", inertia=1e-3, position=[0, 3])
>>> model.bearing("front", bodies=["ground", "shaft"], at=[0, 3], balls=9, pitch_diameter="46 mm", ball_diameter="9.525 mm",
...               conformity=0.52, material="steel", contact="races")
<carom.Section bearing.front>
>>> model.validate()
[]
""",
    "solver": """
>>> model.solver(method="nonsmooth", step="1 ms", end="0.5 s")
<carom.Section solver>
>>> model.run().summary.method
'nonsmooth'
""",
    "output": """
>>> model.output(every="10 ms", record=["body:ball"])
<carom.Section output>
>>> len(model.run())
101
""",
}
