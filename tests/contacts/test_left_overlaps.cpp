#include <gtest/gtest.h>

#include <cmath>

#include "contacts/contact_set.h"

// Overlaps of meshes at the end of a step: which may stay for a while, and which are refused.
namespace carom {
namespace {

constexpr double half = 0.1;  // m, of two boxes as meshes: also half their thickness
constexpr double exact = 1e-6, share = 0.05;

Model two_boxes() {
  std::string text;
  for (int k = 0; k < 8; ++k) {
    const auto side = [&](int bit) { return (k & bit) != 0 ? " 0.1" : " -0.1"; };
    text += std::string("v") + side(1) + side(2) + side(4) + "\n";
  }
  text += "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
  Model model;
  model.solver.method = ContactMethod::nonsmooth;
  ContactModel contact;
  contact.name = "steel";
  model.contacts.push_back(contact);
  PairModel pair;
  pair.name = "boxes";
  pair.bodies = {"lower", "upper"};
  pair.contact = "steel";
  model.pairs.push_back(pair);
  for (const std::string name : {"lower", "upper"}) {
    Geometry mesh;
    mesh.name = "box";
    mesh.shape = "mesh";
    mesh.settings.set("file", ModelFile{.name = "box.obj", .bytes = std::make_shared<const std::string>(text)});
    mesh.settings.set("unit", 1.0);
    BodyModel body;
    body.name = name;
    body.mass = 1;
    body.geometry = {mesh};
    model.bodies.push_back(body);
  }
  return model;
}

Bodies<3> overlapping_by(double depth) {
  Bodies<3> bodies(3);
  bodies[2].position = Eigen::Vector3d(0.02, 0.03, 2 * half - depth);
  bodies[2].orientation = Rotation<3>(rotation_from_vector(Eigen::Vector3d(0, 0, 0.3)).toRotationMatrix());
  return bodies;
}

FoundOverlap look(ContactSet<3>& set, double before, double after, double most_left) {
  return set.find_overlapping(overlapping_by(before), overlapping_by(after), {.depth = exact, .most_left = most_left});
}

TEST(LeftOverlaps, ShallowOnesOfAHeapMayStay) {
  ContactSet<3> set(two_boxes());
  const FoundOverlap found = look(set, -1e-3, 0.02 * half, share);
  EXPECT_EQ(found.point, -1);
  EXPECT_GE(found.left_point, 0);
  EXPECT_NEAR(found.left, 0.02 * half, 1e-9);
}

TEST(LeftOverlaps, NoneMayStayElsewhere) {
  ContactSet<3> set(two_boxes());
  EXPECT_GE(look(set, -1e-3, 0.02 * half, 0).point, 0);
}

TEST(LeftOverlaps, DeepOnesAreRefused) {
  ContactSet<3> set(two_boxes());
  EXPECT_GE(look(set, -1e-3, 0.1 * half, share).point, 0);
  EXPECT_GE(look(set, 0.02 * half, 0.1 * half, share).point, 0) << "nor do those that stay go deeper";
}

TEST(LeftOverlaps, WhatStartsDeepMayComeOut) {
  ContactSet<3> set(two_boxes());
  const FoundOverlap found = look(set, 0.12 * half, 0.1 * half, share);
  EXPECT_EQ(found.point, -1);
  EXPECT_GT(found.left, 0);
}

TEST(LeftOverlaps, WhatIsClearIsNoOverlap) {
  ContactSet<3> set(two_boxes());
  const FoundOverlap found = look(set, -1e-3, -1e-3, share);
  EXPECT_EQ(found.point, -1);
  EXPECT_EQ(found.left_point, -1);
}

}  // namespace
}  // namespace carom
