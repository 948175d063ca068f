#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "../support/meshes.h"

#include <fmt/format.h>

namespace carom {
namespace {

using testing::HasSubstr;

template <typename T>
void put(std::string& bytes, T value, bool big = false) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if (big) std::reverse(raw, raw + sizeof(T));
  bytes.append(raw, sizeof(T));
}

std::string binary_stl(const TriangleSoup& soup, const std::string& title = "part") {
  std::string bytes = title;
  bytes.resize(80, ' ');
  put(bytes, static_cast<std::uint32_t>(soup.triangles.size()));
  for (const Triangle& t : soup.triangles) {
    for (int k = 0; k < 3; ++k) put(bytes, 0.0F);
    for (const int corner : t) {
      for (const double entry : soup.points[corner]) put(bytes, static_cast<float>(entry));
    }
    put(bytes, std::uint16_t{0});
  }
  return bytes;
}

std::string ascii_stl(const TriangleSoup& soup) {
  std::string text = "solid part\n";
  for (const Triangle& t : soup.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const int corner : t) {
      const Eigen::Vector3d& p = soup.points[corner];
      text += fmt::format("  vertex {} {} {}\n", p.x(), p.y(), p.z());
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid part\n";
}

std::string obj(const TriangleSoup& soup, bool from_the_end = false) {
  std::string text = "# part\no part\n";
  for (const Eigen::Vector3d& p : soup.points) text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
  const int count = static_cast<int>(soup.points.size());
  for (const Triangle& t : soup.triangles) {
    text += "f";
    for (const int corner : t) text += fmt::format(" {}/1/2", from_the_end ? corner - count : corner + 1);
    text += "\n";
  }
  return text;
}

std::string ply(const TriangleSoup& soup, const std::string& format) {
  std::string bytes = fmt::format(
      "ply\nformat {} 1.0\ncomment made here\nelement vertex {}\nproperty double x\nproperty double y\nproperty double "
      "z\nproperty uchar red\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
      format, soup.points.size(), soup.triangles.size());
  const bool ascii = format == "ascii", big = format == "binary_big_endian";
  for (const Eigen::Vector3d& p : soup.points) {
    if (ascii) {
      bytes += fmt::format("{} {} {} 7\n", p.x(), p.y(), p.z());
      continue;
    }
    for (const double entry : p) put(bytes, entry, big);
    put(bytes, std::uint8_t{7}, big);
  }
  for (const Triangle& t : soup.triangles) {
    if (ascii) {
      bytes += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
      continue;
    }
    put(bytes, std::uint8_t{3}, big);
    for (const int corner : t) put(bytes, static_cast<std::int32_t>(corner), big);
  }
  return bytes;
}

// Corners of all triangles in their order, whatever their numbers.
std::vector<Eigen::Vector3d> corners_of(const TriangleSoup& soup) {
  std::vector<Eigen::Vector3d> result;
  for (const Triangle& t : soup.triangles) {
    for (const int corner : t) result.push_back(soup.points[corner]);
  }
  return result;
}

void expect_same(const TriangleSoup& read, const TriangleSoup& wanted, double tolerance) {
  const auto got = corners_of(read), meant = corners_of(wanted);
  ASSERT_EQ(got.size(), meant.size());
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_LE((got[k] - meant[k]).norm(), tolerance);
}

TEST(ReadTriangles, EveryFormatGivesTheSameTriangles) {
  const TriangleSoup part = ball_soup(0.7, 1);
  expect_same(read_triangles(binary_stl(part), "part.stl"), part, 1e-7);
  expect_same(read_triangles(binary_stl(part, "solid or not"), "part.STL"), part, 1e-7);
  expect_same(read_triangles(ascii_stl(part), "part.stl"), part, 0);
  expect_same(read_triangles(obj(part), "part.obj"), part, 0);
  expect_same(read_triangles(obj(part, true), "part.obj"), part, 0);
  expect_same(read_triangles(ply(part, "ascii"), "part.ply"), part, 0);
  expect_same(read_triangles(ply(part, "binary_little_endian"), "part.ply"), part, 0);
  expect_same(read_triangles(ply(part, "binary_big_endian"), "part.ply"), part, 0);
}

TEST(ReadTriangles, PolygonsAreCutByTheirEars) {
  const TriangleSoup part = read_obj("v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nv 0 2 0\nf 1 2 3 4 5\n");
  ASSERT_EQ(part.triangles.size(), 3U);
  double area = 0;
  for (const Triangle& t : part.triangles) {
    const double piece = 0.5 * (part.points[t[1]] - part.points[t[0]]).cross(part.points[t[2]] - part.points[t[0]]).z();
    EXPECT_GT(piece, 0);
    area += piece;
  }
  EXPECT_NEAR(area, 4 - 1.5, 1e-15);
}

std::string failure_of(std::string_view bytes, const std::string& name) {
  try {
    read_triangles(bytes, name);
  } catch (const std::invalid_argument& failure) {
    return failure.what();
  }
  return "";
}

TEST(ReadTriangles, SaysWhatIsWrong) {
  const TriangleSoup part = ball_soup(1, 0);
  EXPECT_THAT(failure_of("", "a.stl"), HasSubstr("empty"));
  EXPECT_THAT(failure_of("x", "a.step"), HasSubstr("STL, OBJ or PLY"));
  std::string cut = binary_stl(part);
  cut.resize(cut.size() - 20);
  EXPECT_THAT(failure_of(cut, "a.stl"), HasSubstr("20 triangles are announced and 19 are there"));
  std::string text = ascii_stl(part);
  EXPECT_THAT(failure_of(text.substr(0, text.rfind("endloop")), "a.stl"), HasSubstr("cut off"));
  EXPECT_THAT(failure_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 nan 1\n", "a.stl"), HasSubstr("line 4"));
  EXPECT_THAT(failure_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 x 1\n", "a.stl"), HasSubstr("`x`"));
  std::string nan = binary_stl(part);
  const float bad = std::nanf("");
  std::memcpy(nan.data() + 84 + 12, &bad, 4);
  EXPECT_THAT(failure_of(nan, "a.stl"), HasSubstr("triangle 1"));
  std::string many = binary_stl(part);
  const std::uint32_t count = 10'000'000;
  std::memcpy(many.data() + 80, &count, 4);
  EXPECT_THAT(failure_of(many, "a.stl"), HasSubstr("10000000 triangles are announced"));
  EXPECT_THAT(failure_of("v 0 0 0\nf 1 2 3\n", "a.obj"), HasSubstr("line 2: a face names point 2"));
  EXPECT_THAT(failure_of("v 0 0\n", "a.obj"), HasSubstr("line 1"));
  EXPECT_THAT(failure_of("hello\n", "a.obj"), HasSubstr("is this an OBJ file"));
  EXPECT_THAT(failure_of("v 0 0 0\n", "a.obj"), HasSubstr("no triangles"));
  std::string short_ply = ply(part, "binary_little_endian");
  short_ply.resize(short_ply.size() - 3);
  EXPECT_THAT(failure_of(short_ply, "a.ply"), HasSubstr("cut off"));
  EXPECT_THAT(failure_of("ply\nformat ascii 1.0\nelement vertex 3000000000\nproperty float x\nproperty float "
                         "y\nproperty float z\nend_header\n0 0 0\n",
                         "a.ply"),
              HasSubstr("cut off"));
}

// A mesh that is announced with ten million triangles and has them is refused before they are kept.
TEST(ReadTriangles, TooManyTrianglesAreRefused) {
  std::string bytes(80, ' ');
  const std::uint32_t count = 10'000'000;
  put(bytes, count);
  bytes.resize(84 + 50ull * count, '\0');
  EXPECT_THAT(failure_of(bytes, "a.stl"), HasSubstr("at most 5000000"));
}

// Whatever is cut, changed or put in, there is a result or a message.
TEST(ReadTriangles, NoChangeOfAFileIsTooMuch) {
  std::mt19937 random(7);
  const TriangleSoup part = ball_soup(1, 0);
  const std::pair<std::string, std::string> files[] = {{binary_stl(part), "a.stl"},
                                                       {ascii_stl(part), "a.stl"},
                                                       {obj(part), "a.obj"},
                                                       {ply(part, "ascii"), "a.ply"},
                                                       {ply(part, "binary_big_endian"), "a.ply"},
                                                       {ply(part, "binary_little_endian"), "a.ply"}};
  int read = 0, closed = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    auto [bytes, name] = files[trial % std::size(files)];
    for (unsigned change = 0; change <= random() % 4; ++change) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, random() % 20);
          break;
        case 2:
          bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 20));
          break;
        default:
          bytes[at] = "0123456789-.e \n"[random() % 15];
      }
      if (bytes.empty()) bytes = " ";
    }
    try {
      TriangleSoup soup = read_triangles(bytes, name);
      ++read;
      for (const Triangle& t : soup.triangles) {
        for (const int corner : t) ASSERT_TRUE(corner >= 0 && corner < static_cast<int>(soup.points.size()));
      }
      const ClosedSurface surface = close_surface(std::move(soup));
      ++closed;
      EXPECT_GT(surface.volume, 0);
    } catch (const std::invalid_argument& failure) {
      EXPECT_FALSE(std::string(failure.what()).empty());
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(closed, 20);
}

}  // namespace
}  // namespace carom
