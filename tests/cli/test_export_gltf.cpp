#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

#include "command_line.h"
#include "page_parts.h"

// `carom export --gltf`: what a program for moving scenes would read, by a reader of our own.
namespace carom::cli {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

struct Scene {
  Json json;
  std::string numbers;

  explicit Scene(const std::string& bytes) {
    const auto word = [&](std::size_t at) {
      std::uint32_t value = 0;
      std::memcpy(&value, bytes.data() + at, 4);
      return value;
    };
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(word(4), 2);
    EXPECT_EQ(word(8), bytes.size());
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    json = Json::parse(bytes.substr(20, word(12)));
    const std::size_t second = 20 + word(12);
    EXPECT_EQ(second % 4, 0);
    EXPECT_EQ(bytes.substr(second + 4, 3), "BIN");
    numbers = bytes.substr(second + 8, word(second));
    EXPECT_GE(numbers.size(), json["buffers"][0]["byteLength"]);
  }

  std::vector<float> floats(std::size_t accessor) const {
    const Json& entry = json["accessors"][accessor];
    const Json& view = json["bufferViews"][entry["bufferView"].get<std::size_t>()];
    const std::size_t width = entry["type"] == "SCALAR" ? 1 : entry["type"] == "VEC3" ? 3 : 4;
    std::vector<float> values(entry["count"].get<std::size_t>() * width);
    EXPECT_EQ(view["byteLength"], 4 * values.size());
    EXPECT_LE(view["byteOffset"].get<std::size_t>() + 4 * values.size(), numbers.size());
    std::memcpy(values.data(), numbers.data() + view["byteOffset"].get<std::size_t>(), 4 * values.size());
    return values;
  }

  // Values of the animation of a node; none: it stands still.
  std::vector<float> animation(const std::string& name, const std::string& path,
                               std::vector<float>* times = nullptr) const {
    for (const Json& channel : json["animations"][0]["channels"]) {
      const Json& node = json["nodes"][channel["target"]["node"].get<std::size_t>()];
      if (node["name"] != name || channel["target"]["path"] != path) continue;
      const Json& sampler = json["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()];
      if (times) *times = floats(sampler["input"]);
      return floats(sampler["output"]);
    }
    return {};
  }
};

TEST(ExportGltf, MovesBodiesAndForcesAsRecorded) {
  const Folder folder;
  folder.write("ball.toml", ball);
  ASSERT_EQ(carom(folder, {"run", "ball.toml", "-o", "ball.h5", "--quiet"}).code, 0);
  const Outcome outcome = carom(folder, {"export", "ball.h5", "--gltf", "--every", "5", "--duration", "4 s"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("ball.glb: 101 of 501 samples"));
  EXPECT_THAT(outcome.out, HasSubstr("4 times slower than real time"));
  const Scene scene(contents(folder / "ball.glb"));
  const auto samples =
      csv_rows(carom(folder, {"export", "ball.h5", "--csv", "body:ball.x", "body:ball.z", "contact:bounce.touching",
                              "contact:bounce.fz", "contact:bounce.fx", "--every", "5"})
                   .out);
  std::vector<float> times;
  const auto places = scene.animation("ball", "translation", &times);
  const auto turns = scene.animation("ball", "rotation");
  const auto sizes = scene.animation("contact:bounce", "scale");
  ASSERT_EQ(places.size(), 3 * samples.size());
  ASSERT_EQ(turns.size(), 4 * samples.size());
  ASSERT_EQ(sizes.size(), 3 * samples.size());
  double largest = 0, longest = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    largest = std::max(largest, std::hypot(samples[k][4], samples[k][5]));
    longest = std::max(longest, static_cast<double>(sizes[3 * k]));
  }
  for (std::size_t k = 0; k < samples.size(); ++k) {
    EXPECT_NEAR(times[k], 4 * samples[k][0], 1e-6);
    EXPECT_NEAR(places[3 * k], samples[k][1], 1e-6);
    EXPECT_NEAR(places[3 * k + 2], samples[k][2], 1e-6);
    // It moves along x, so that friction turns it about y.
    EXPECT_NEAR(std::hypot(turns[4 * k + 1], turns[4 * k + 3]), 1, 1e-6);
    EXPECT_NEAR(sizes[3 * k] / longest, samples[k][3] > 0.5 ? std::hypot(samples[k][4], samples[k][5]) / largest : 0,
                1e-5);
  }
  EXPECT_GT(largest, 0);
  // z is up in the model, y in the scene.
  const Json& root = scene.json["nodes"][scene.json["scenes"][0]["nodes"][0].get<std::size_t>()];
  EXPECT_NEAR(root["rotation"][0].get<double>(), -std::sqrt(0.5), 1e-9);
}

TEST(ExportGltf, DrawsBeamsAndPlanarMechanisms) {
  const Folder folder;
  const std::string model = std::string(CAROM_SOURCE_DIR) + "/examples/flexible_slider_crank.toml";
  ASSERT_EQ(carom(folder, {"run", model, "-o", "r.h5", "--quiet"}).code, 0);
  const Outcome outcome = carom(folder, {"export", "r.h5", "--gltf", "scene.glb", "--every", "400"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Scene scene(contents(folder / "scene.glb"));
  for (std::size_t k = 0; k < scene.json["accessors"].size(); ++k) {
    if (scene.json["accessors"][k]["componentType"] != 5126) continue;
    for (const float value : scene.floats(k)) ASSERT_TRUE(std::isfinite(value));
  }
  EXPECT_GT(scene.json["meshes"].size(), 10);
  EXPECT_EQ(carom(folder, {"export", "r.h5", "--gltf", "scene.glb", "--every", "400"}).code, 0);  // its own file
}

TEST(ExportGltf, RefusesWrongInput) {
  const Folder folder;
  folder.write("ball.toml", ball);
  ASSERT_EQ(carom(folder, {"run", "ball.toml", "-o", "b.h5", "--quiet"}).code, 0);
  const auto expect = [&](const std::vector<std::string>& words, const char* message) {
    const Outcome outcome = carom(folder, words);
    EXPECT_NE(outcome.code, 0) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  };
  expect({"export", "b.h5", "--gltf", "--csv"}, "found both");
  expect({"export", "b.h5", "--csv", "--duration", "1 s"}, "--duration");
  expect({"export", "b.h5", "--gltf", "--duration", "0"}, "a time > 0");
  expect({"export", "b.h5", "--gltf", "--duration", "1 kg"}, "--duration");
  folder.write("mine.glb", "my own");
  expect({"export", "b.h5", "--gltf", "mine.glb"}, "mine.glb");
  EXPECT_EQ(contents(folder / "mine.glb"), "my own");
}

}  // namespace
}  // namespace carom::cli
