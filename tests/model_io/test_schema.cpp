#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "contact_laws/elastic_catalogue.h"
#include "contact_laws/friction_law.h"
#include "contact_laws/normal_law.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model_io/schema.h"
#include "model_io/sections.h"

namespace carom {
namespace {

using testing::HasSubstr;

TEST(Schema, ListsEverySectionJointAndForce) {
  const auto schema = nlohmann::json::parse(json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  for (const SectionDescription& each : sections()) {
    const bool nested = each.name.find('.') != std::string::npos;
    EXPECT_TRUE(nested || schema["properties"].contains(each.name)) << each.name;
  }
  const auto& joints = schema["properties"]["joint"]["items"]["oneOf"];
  ASSERT_EQ(joints.size(), joint_catalogue().size());
  for (std::size_t k = 0; k < joints.size(); ++k)
    EXPECT_EQ(joints[k]["properties"]["type"]["const"], joint_catalogue()[k].name);
  const auto& forces = schema["properties"]["force"]["items"]["oneOf"];
  ASSERT_EQ(forces.size(), force_element_catalogue().size());
  for (std::size_t k = 0; k < forces.size(); ++k)
    EXPECT_EQ(forces[k]["properties"]["type"]["const"], force_element_catalogue()[k].name);
}

TEST(Schema, CarriesContact) {
  const auto schema = nlohmann::json::parse(json_schema());
  const auto& contact = schema["properties"]["contact"]["additionalProperties"];
  EXPECT_EQ(contact["additionalProperties"], false);
  EXPECT_EQ(contact["properties"]["law"]["enum"].size(), normal_law_catalogue().size());
  for (const auto& law : normal_law_catalogue()) {
    for (const auto& row : law.parameters) EXPECT_TRUE(contact["properties"].contains(row.name)) << row.name;
  }
  EXPECT_EQ(contact["properties"]["friction"]["anyOf"].size(), 1 + friction_law_catalogue().size());
  for (const auto& joint : schema["properties"]["joint"]["items"]["oneOf"]) {
    EXPECT_EQ(joint["properties"].contains("clearance"),
              joint["title"] == "revolute" || joint["title"] == "prismatic" || joint["title"] == "cylindrical" ||
                  joint["title"] == "spherical" || joint["title"] == "point-on-curve");
  }
  EXPECT_EQ(schema["properties"]["pair"]["items"]["required"], nlohmann::json({"name", "bodies"}));
}

TEST(Schema, CarriesBoundsUnitsChoicesAndRequiredKeys) {
  const auto schema = nlohmann::json::parse(json_schema());
  const auto& body = schema["properties"]["body"]["items"];
  EXPECT_EQ(body["properties"]["mass"]["exclusiveMinimum"], 0);
  EXPECT_EQ(body["properties"]["mass"]["description"], "mass [kg] (default: from the shapes and their densities)");
  EXPECT_EQ(body["required"], nlohmann::json({"name"}));
  EXPECT_TRUE(body["properties"]["marker"]["items"]["properties"].contains("orientation"));
  EXPECT_EQ(schema["properties"]["solver"]["properties"]["integrator"]["enum"].size(), 5u);
  EXPECT_EQ(schema["properties"]["solver"]["properties"]["tolerance"]["maximum"], 0.01);
}

TEST(Schema, EveryReferenceIsDefined) {
  const auto schema = nlohmann::json::parse(json_schema());
  const auto flat = schema.flatten();
  for (const auto& [path, value] : flat.items()) {
    if (path.size() < 5 || path.substr(path.size() - 4) != "$ref") continue;
    const auto target = value.get<std::string>().substr(1);
    EXPECT_TRUE(schema.contains(nlohmann::json::json_pointer(target))) << target;
  }
}

// Run with CAROM_UPDATE=1 to write the file anew.
TEST(Schema, FileInTheDocumentationIsUpToDate) {
  const std::filesystem::path file = std::filesystem::path(CAROM_SOURCE_DIR) / "docs/schema/model.schema.json";
  if (std::getenv("CAROM_UPDATE")) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << json_schema();
  }
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  EXPECT_TRUE(text.str() == json_schema()) << "run this test with CAROM_UPDATE=1";
}

TEST(ReferencePage, ListsEverySectionJointAndForce) {
  const std::string page = reference_page();
  for (const SectionDescription& each : sections()) EXPECT_THAT(page, HasSubstr("## `" + each.heading() + "`"));
  for (const JointDescription& each : joint_catalogue()) EXPECT_THAT(page, HasSubstr("### `" + each.name + "`"));
  for (const ForceElementDescription& each : force_element_catalogue())
    EXPECT_THAT(page, HasSubstr("### `" + each.name + "`"));
  for (const auto& each : normal_law_catalogue()) EXPECT_THAT(page, HasSubstr("### `law = \"" + each.name + "\"`"));
  for (const auto& each : elastic_catalogue()) EXPECT_THAT(page, HasSubstr("### `elastic = \"" + each.name + "\"`"));
  for (const auto& each : friction_law_catalogue()) {
    EXPECT_THAT(page, HasSubstr("### `friction.law = \"" + each.name + "\"`"));
  }
  EXPECT_THAT(page, HasSubstr("| `pitch` | quantity | m |  | *required* |"));
}

}  // namespace
}  // namespace carom
