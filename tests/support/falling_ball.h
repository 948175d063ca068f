#pragma once

#include <string>

namespace carom::build {

// A ball of 2 kg that drops half a metre onto a floor and bounces, g = 10 m/s²: the text of a model file. Its pair is
// contact:bounce, with forces on the ball. In the plane it flies on along x.
struct FallingBall {
  bool planar = true;
  std::string height = "0.6";                                  // m, of its centre; a parameter of the model
  std::string contact = "restitution = 0.7\nstiffness = 3e5";  // keys of the contact
  std::string solver = "end = 1";                              // keys of the solver, and sections after it

  std::string text() const {
    const std::string model = planar ? "[model]\nname = \"Ball\"\nplane = \"xy\"\ngravity = [0, -10]\n"
                                     : "[model]\nname = \"Ball\"\ngravity = [0, 0, -10]\n";
    const std::string parameters = "[parameters]\nheight = " + height + "\n";
    const std::string floor = "[[ground.geometry]]\nname = \"floor\"\nshape = \"plane\"\n";
    const std::string body = "[[body]]\nname = \"ball\"\nmass = 2\n";
    const std::string start = planar ? "inertia = 8e-3\nposition = [0, \"=height\"]\nvelocity = [0.5, 0]\n"
                                     : "inertia = [8e-3, 8e-3, 8e-3]\nposition = [0, 0, \"=height\"]\n";
    const std::string skin = "[[body.geometry]]\nname = \"skin\"\nshape = \"sphere\"\nradius = 0.1\n";
    const std::string soft = "[contact.soft]\n" + contact + "\n";
    const std::string pair = "[[pair]]\nname = \"bounce\"\nbodies = [\"ground\", \"ball\"]\ncontact = \"soft\"\n";
    return model + parameters + floor + body + start + skin + soft + pair + "[solver]\n" + solver + "\n";
  }
};

}  // namespace carom::build
