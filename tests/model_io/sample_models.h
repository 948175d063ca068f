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
force = "=contact*abs(x)^1.5 + 3*v"

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

inline Model read(const std::string& text, ProblemList& problems, const ReadOptions& options = {}) {
  return read_model_text(text, "model.toml", problems, options);
}

}  // namespace carom::sample
