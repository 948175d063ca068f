#include "contacts/resolved_contacts.h"

#include <gtest/gtest.h>

#include "contacts/shape_of.h"
#include "contacts/shape_pairs.h"

namespace carom {
namespace {

Geometry shape_named(const std::string& name, const std::string& material) {
  Geometry shape;
  shape.shape = "sphere";
  shape.name = name;
  shape.material = material;
  shape.settings.set("radius", 0.1);
  return shape;
}

// Three grains with two shapes each above a floor; a pin with clearance.
Model sample() {
  Model model;
  model.ground.name = "ground";
  Geometry floor = shape_named("floor", "stone");
  floor.shape = "plane";
  model.ground.geometry = {floor};
  for (const std::string name : {"grain1", "grain2", "crank"}) {
    BodyModel body;
    body.name = name;
    body.geometry = {shape_named("core", ""), shape_named("skin", "rubber")};
    model.bodies.push_back(body);
  }
  for (const auto& [name, young, restitution, friction] :
       {std::tuple("stone", 50e9, 0.8, 0.9), {"rubber", 5e6, 0.4, 0.4}, {"steel", 200e9, -1.0, -1.0}}) {
    Material material;
    material.name = name;
    material.young = young, material.poisson = 0.25;
    material.restitution = restitution, material.friction = friction;
    model.materials.push_back(material);
  }
  ContactModel dry;
  dry.name = "dry";
  dry.restitution = 0.3;
  dry.friction = "coulomb";
  dry.friction_settings.set("coefficient", 0.05);
  model.contacts = {dry};
  ElementModel pin;
  pin.name = "pin";
  pin.type = "revolute";
  pin.clearance.emplace();
  pin.clearance->materials = {"steel", "steel"};
  pin.clearance->contact = "dry";
  model.joints = {pin};
  const auto add = [&](const std::string& name, const std::string& a, const std::string& b) -> PairModel& {
    PairModel pair;
    pair.name = name;
    pair.bodies = {a, b};
    model.pairs.push_back(pair);
    return model.pairs.back();
  };
  add("grains", "grain*", "*");
  add("floor", "grain2", "ground").shapes = {"skin", ""};
  return model;
}

TEST(ResolvedContacts, HaveTheNamesOfTheirGroups) {
  const Model model = sample();
  const auto contacts = resolve_contacts(model);
  ASSERT_EQ(contacts.size(), 3U);
  EXPECT_EQ(contacts[0].group(), "joint:pin");
  EXPECT_EQ(contacts[1].group(), "contact:grains");
  EXPECT_EQ(contacts[2].group(), "contact:floor");
  for (const ResolvedContact& contact : contacts) {
    const auto again = resolve_contact(model, contact.group());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->joint(), contact.joint());
    EXPECT_EQ(again->pair(), contact.pair());
  }
  EXPECT_FALSE(resolve_contact(model, "contact:pin"));
  EXPECT_FALSE(resolve_contact(model, "joint:none"));
}

TEST(ResolvedContacts, EveryMeetingComesOnce) {
  const Model model = sample();
  const auto contacts = resolve_contacts(model);
  std::vector<std::array<int, 2>> met;
  contacts[1].for_each_meeting([&](const Meeting& meeting) { met.push_back(meeting.bodies); });
  // Two shapes on each side. The first two bodies are meant by both sides and come in one order.
  std::vector<std::array<int, 2>> expected;
  for (const std::array<int, 2> bodies : {std::array{1, 2}, {1, 3}, {2, 3}}) expected.insert(expected.end(), 4, bodies);
  EXPECT_EQ(met, expected);
  EXPECT_FALSE(contacts[1].changes());

  int skins = 0;
  contacts[2].for_each_meeting([&](const Meeting& meeting) {
    ++skins;
    EXPECT_EQ(meeting.shapes[0]->name, "skin");
    EXPECT_EQ(meeting.bodies, (std::array{2, 0}));
  });
  EXPECT_EQ(skins, 1);
  EXPECT_TRUE(contacts[2].means(0, 2, model.bodies[1].geometry[1]));
  EXPECT_FALSE(contacts[2].means(0, 2, model.bodies[1].geometry[0]));
  EXPECT_FALSE(contacts[2].means(0, 1, model.bodies[0].geometry[1]));
}

TEST(ResolvedContacts, MaterialsComeFromThePairOrItsShapes) {
  Model model = sample();
  const auto floor = [&] { return *resolve_contact(model, "contact:floor"); };
  const Geometry &core = model.bodies[1].geometry[0], &skin = model.bodies[1].geometry[1];
  const Geometry& ground = model.ground.geometry[0];
  EXPECT_EQ(floor().surfaces(skin, ground).names, (std::array<std::string, 2>{"rubber", "stone"}));
  EXPECT_EQ(floor().surfaces(core, ground).materials[0], nullptr);
  EXPECT_EQ(floor().surfaces(core, ground).modulus(), 0);
  EXPECT_EQ(floor().typical_surfaces().materials[0], &model.materials[1]);
  model.pairs[1].materials = {"steel", ""};
  EXPECT_EQ(floor().surfaces(skin, ground).materials[0], &model.materials[2]);
  EXPECT_EQ(floor().typical_surfaces().names, (std::array<std::string, 2>{"steel", "stone"}));
}

TEST(ResolvedContacts, TheContactGoesBeforeTheMaterials) {
  Model model = sample();
  const auto value = [&](auto* of) {
    const auto contact = *resolve_contact(model, "contact:floor");
    return of(*contact.contact(), contact.typical_surfaces());
  };
  EXPECT_NEAR(value(coefficient_of_friction), 0.6, 1e-15);
  EXPECT_NEAR(value(coefficient_of_restitution), 0.4, 1e-3);  // the soft partner stores nearly all
  EXPECT_EQ(value(friction_law_name), "tanh");
  model.pairs[1].contact = "dry";
  EXPECT_EQ(value(coefficient_of_friction), 0.05);
  EXPECT_EQ(value(coefficient_of_restitution), 0.3);
  EXPECT_EQ(value(friction_law_name), "coulomb");
  model.contacts[0].friction = "none";
  EXPECT_EQ(value(coefficient_of_friction), 0);
  model.pairs[1].contact = "wet";
  EXPECT_EQ(resolve_contact(model, "contact:floor")->contact(), nullptr);
}

TEST(ShapeOf, TakesPlaceFromTheMassCentre) {
  BodyModel body;
  body.name = "block";
  body.center_of_mass = {0.1, 0, 0};
  Geometry box;
  box.shape = "box";
  box.name = "foot";
  box.position = {0.3, 0.2, 0.1};
  box.settings.set("size", std::vector<double>{2.0, 4.0, 6.0});
  const Shape<3> shape = placed_shape<3>(box, *find_shape_kind("box"), body, 4);
  EXPECT_EQ(shape.body, 4);
  EXPECT_EQ(shape.name, "block.foot");
  EXPECT_EQ(shape.half, Eigen::Vector3d(1, 2, 3));
  EXPECT_LT((shape.position - Eigen::Vector3d(0.2, 0.2, 0.1)).norm(), 1e-15);
  EXPECT_FALSE(find_shape_kind("cube"));
}

// What is merely drawn meets nothing, and gives no material.
TEST(ResolvedContacts, LeaveOutWhatIsVisual) {
  Model model = sample();
  const auto meetings = [&] {
    int count = 0;
    resolve_contact(model, "contact:grains")->for_each_meeting([&](const Meeting& meeting) {
      ++count;
      EXPECT_FALSE(meeting.shapes[0]->visual || meeting.shapes[1]->visual);
    });
    return count;
  };
  // Three pairs of bodies with two shapes each; then `grain1` has only one.
  EXPECT_EQ(meetings(), 12);
  model.bodies[0].geometry[1].visual = true;
  EXPECT_EQ(meetings(), 8);
  EXPECT_EQ(shape_pairs(model, model.pairs[0]), 3u * 5u);
  EXPECT_FALSE(resolve_contact(model, "contact:grains")->means(0, 1, model.bodies[0].geometry[1]));
}

}  // namespace
}  // namespace carom
