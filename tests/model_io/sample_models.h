#pragma once

#include <string>

#include "model_io/read_model.h"

namespace carom::sample {

// The flagship of the product page, as far as this version goes, with a little of everything.
inline const std::string slider_crank = R"toml([model]
name    = "Slider-crank"
plane   = "xy"
gravity = [0, -9.81]

[parameters]
stroke  = "=2*radius"               # in any order
radius  = "50 mm"
speed   = "5000 rpm"
contact = "5 N/mm^1.5"

[material.steel]
density = "7.85 g/cm^3"
young = "207 GPa"
poisson = 0.3

[[body]]
name = "crank"
mass = "300 g"
inertia = 1.0e-4
position = ["=radius/2", 0]
orientation = "30 deg"
[[body.marker]]
name = "pin"
position = ["=radius/2", 0]
orientation = "90 deg"
[[body.geometry]]
shape = "box"
size = ["=radius", 0.01]
color = "#4080c0"

[[body]]
name = "rod"
mass = 0.21
inertia = 2.5e-4
center_of_mass = [0.01, 0]
velocity = [1, "2 km/h"]
angular_velocity = "=-speed"

[[body]]
name = "slider"
mass = 0.14
inertia = "1 kg cm^2"

[ground]
[[ground.marker]]
name = "base"

[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "crank"]
at = [0, 0]

[[joint]]
name = "elbow"
type = "revolute"
bodies = ["crank", "rod"]
points = [["=radius/2", 0], ["-60 mm", 0]]

[[joint]]
name = "slide"
type = "prismatic"
bodies = ["ground", "slider"]
at = [0.17, 0]
axis = [1, 0]

[[joint]]
name = "pin"
type = "revolute"
markers = ["ground.base", "crank.pin"]

[[joint]]
name = "belt"
type = "coupler"
joints = ["pivot", "slide"]
coefficients = [1, -2]

[[motion]]
joint = "pivot"
speed = "=speed"

[[motion]]
name = "push"
body = "slider"
component = "x"
position = { table = [[0, 0], ["500 ms", "20 mm"], [1, 0]], interpolation = "linear" }

[[force]]
name = "spring"
type = "spring"
bodies = ["ground", "slider"]
ends = [[0.5, 0], [0.17, 0]]
stiffness = "2 N/mm"
force = "=contact*abs(x)^1.5 + 3[N s/m]*v"

[[force]]
name = "load"
type = "force"
body = "slider"
force = ["=5*sin(2*pi*t)", "2 kN"]

[[force]]
name = "brake"
type = "torque"
body = "crank"
torque = "3 N m"

[solver]
end = "=4*pi/speed"
integrator = "bdf"
tolerance = 1e-9
baumgarte = { alpha = 10 }

[output]
every = "1e-5 s"
record = ["body:*", "joint:pin", "energy"]
)toml";

inline const std::string spatial = R"toml([model]
gravity = [0, 0, -9.81]

[[body]]
name = "top"
mass = 15
inertia = [0.234375, 0.46875, 0.234375]
position = [0, 1, 0]
orientation = { axis = [0, 0, 2], angle = "90 deg" }
angular_velocity = [0, 150, "=-4.61538"]

[[body]]
name = "shaft"
mass = 1
inertia = [2, 2, 2, 0.1, 0.2, 0.3]
orientation = [2, 0, 0, 0]
velocity = [1, 2, 3]

[[joint]]
name = "ball"
type = "spherical"
bodies = ["ground", "top"]
at = [0, 0, 0]

[[joint]]
name = "cross"
type = "universal"
bodies = ["top", "shaft"]
at = [0, 1, 0]
axis = [1, 0, 0]
axis2 = [0, 1, 0]

[[joint]]
name = "thread"
type = "screw"
bodies = ["ground", "shaft"]
points = [[0, 0, 0], [0, 0, 1]]
axes = [[0, 0, 1], [0, 1, 0]]
pitch = "2 mm"

[[motion]]
joint = "thread.rotation"
position = "=t^2"

[[force]]
name = "bush"
type = "bushing"
bodies = ["ground", "shaft"]
at = [0, 0, 0]
stiffness = [1, 2, 3]
rotational_stiffness = 5
)toml";

// Everything that the file says about contact.
inline const std::string contact = R"toml([model]
name = "Loose slider-crank over a floor"
plane = "xy"
gravity = [0, -9.81]

[parameters]
clearance = "0.05 mm"

[material.steel]
young = "207 GPa"
poisson = 0.3
[material.rubber]
young = "5 MPa"
poisson = 0.5
restitution = 0.7
friction = 0.8

[[body]]
name = "ball"
mass = 1
inertia = 1e-3
position = [0, 1]
[[body.geometry]]
shape = "sphere"
name = "skin"
material = "rubber"
radius = "50 mm"

[[body]]
name = "slider"
mass = 0.14
inertia = 1e-4
[[body.geometry]]
shape = "profile"
name = "edge"
points = [[0, 0], [1, 0], [1, 1]]
closed = false

[[body]]
name = "rod"
mass = 0.2
inertia = 1e-4
[[body.geometry]]
shape = "cavity"
name = "eye"
radius = "10 mm"
[[body.geometry]]
shape = "box"
size = [0.1, 0.02]

[ground]
[[ground.geometry]]
shape = "plane"
name = "floor"
material = "rubber"
[[ground.geometry]]
shape = "slot"
name = "groove"
width = "20 mm"

[[joint]]
name = "pin"
type = "revolute"
bodies = ["rod", "slider"]
at = [0.17, 0]
[joint.clearance]
diametric = "=clearance"
bearing_diameter = "20 mm"
materials = ["steel", "steel"]
contact = "dry"

[[joint]]
name = "slide"
type = "prismatic"
bodies = ["slider", "ground"]
at = [0.17, 0]
axis = [1, 0]
[joint.clearance]
radial = "0.1 mm"
bearing_radius = "10 mm"
length = "50 mm"
bearing = "second"
contact = "spring"

[contact.dry]
law = "lankarani-nikravesh"
elastic = "hertz"
restitution = 0.9
friction = { law = "threlfall", coefficient = 0.01, slip_full = "1 mm/s", renormalised = false }
rolling_resistance = "0.1 mm"
spinning_resistance = "0.2 mm"
minimum_speed = "1 mm/s"
slow_contact = "elastic"

[contact.spring]
law = "kelvin-voigt"
stiffness = "1 kN/mm"
damping = "10 N s/m"
end = "adhesive"
friction = 0.1

[contact.bushing]
law = "adams"
stiffness = 1e8
exponent = 2.2
damping = 1e3

[[pair]]
name = "ball-floor"
bodies = ["ball", "ground"]
shapes = ["skin", "floor"]

[[pair]]
name = "all"
bodies = ["*", "ground"]
shapes = ["*", "groove"]
contact = "spring"
allow_initial_penetration = true

[[pair]]
name = "loose"
bodies = ["rod", "ground"]
contact = "bushing"

[solver]
penetration_control = "reject"
penetration_tolerance = "1 nm"
smallest_step = "1 us"

[output]
record = ["joint:pin", "contact:*", "contact:ball-floor", "energy"]
)toml";

inline Model read(const std::string& text, ProblemList& problems, const ReadOptions& options = {}) {
  return read_model_text(text, "model.toml", problems, options);
}

}  // namespace carom::sample
