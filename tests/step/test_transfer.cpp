#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "step/transfer.h"

// What another program hands over is not trusted: a number that names nothing would be read beyond the end of a list.
namespace carom {
namespace {

StepAssembly tetrahedron() {
  StepPart part;
  part.name = "tip";
  part.solids = 1;
  part.volume = 1.0 / 6;
  part.faces.resize(4);
  part.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  part.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  part.face_of_triangle = {0, 1, 2, 3};
  part.normals.resize(4, Eigen::Vector3d::Zero());
  StepAssembly assembly;
  assembly.parts = {part};
  assembly.placements.resize(2);
  assembly.remarks = {"one"};
  return assembly;
}

StepAssembly there_and_back(const StepAssembly& assembly) {
  const auto bytes = packed(assembly);
  return unpacked({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

TEST(Transfer, KeepsWhatFitsTogether) {
  const StepAssembly assembly = there_and_back(tetrahedron());
  ASSERT_EQ(assembly.parts.size(), 1);
  EXPECT_EQ(assembly.parts[0].triangles, tetrahedron().parts[0].triangles);
  EXPECT_EQ(assembly.placements.size(), 2);
}

TEST(Transfer, RefusesNumbersThatNameNothing) {
  const auto expect_refused = [](auto&& change) {
    StepAssembly assembly = tetrahedron();
    change(assembly);
    EXPECT_THROW(there_and_back(assembly), StepError);
  };
  expect_refused([](StepAssembly& all) { all.parts[0].triangles[2] = {0, 3, 4}; });
  expect_refused([](StepAssembly& all) { all.parts[0].triangles[2] = {0, -1, 2}; });
  expect_refused([](StepAssembly& all) { all.parts[0].face_of_triangle[1] = 4; });
  expect_refused([](StepAssembly& all) { all.parts[0].face_of_triangle.pop_back(); });
  expect_refused([](StepAssembly& all) { all.parts[0].normals.pop_back(); });
  expect_refused([](StepAssembly& all) { all.parts[0].faces[0].kind = static_cast<FaceKind>(6); });
  expect_refused([](StepAssembly& all) { all.placements[1].part = 1; });
}

TEST(Transfer, RefusesListsThatAreTooShort) {
  nlohmann::json json = nlohmann::json::from_cbor(packed(tetrahedron()));
  const auto expect_refused = [](const nlohmann::json& changed) {
    const auto bytes = nlohmann::json::to_cbor(changed);
    EXPECT_THROW(unpacked({reinterpret_cast<const char*>(bytes.data()), bytes.size()}), StepError);
  };
  json["parts"][0]["inertia"] = {1, 2, 3};
  expect_refused(json);
  // An error without its words is an error, and no empty assembly.
  expect_refused({{"error", {"broken"}}});
}

// An object of 2⁶³ entries, as the fuzzer found it.
TEST(Transfer, RefusesSizesBeyondAllMemory) {
  EXPECT_THROW(unpacked({"\xbb\x80\0\0\0\0\0\0\0", 9}), StepError);
}

}  // namespace
}  // namespace carom
