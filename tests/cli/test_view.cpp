#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <functional>
#include <random>
#include <thread>

#include <nlohmann/json.hpp>

#include "command_line.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// `carom view` in the background, and a client that may say anything to it.
class Viewer {
 public:
  Viewer(const Folder& folder, const std::string& file, const Surroundings& around = {})
      : program_(folder, {"view", file, "--no-open"}, around), out_(folder / ".stdout") {
    for (int attempt = 0; attempt < 500 && port_ == 0; ++attempt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::string text = contents(out_);
      const auto at = text.find("http://127.0.0.1:");
      if (at == std::string::npos || text.find("Ctrl-C") == std::string::npos) continue;
      port_ = std::stoi(text.substr(at + 17));
      const auto slash = text.find('/', at + 17);
      secret_ = text.substr(slash, text.find('\n', slash) - 1 - slash);
    }
    if (port_ == 0) throw std::runtime_error("the viewer did not start");
  }
  ~Viewer() {
    if (!stopped_) stop();
  }
  Outcome stop(int signal = SIGINT) {
    stopped_ = true;
    program_.signal(signal);
    return program_.wait();
  }
  int port() const { return port_; }
  std::string secret() const { return secret_; }  // "/TOKEN"

  // Sends bytes as they are and returns all that comes back. A client that says that no more will follow may be left
  // without an answer.
  std::string say(const std::string& bytes, bool no_more = false) const {
    const int connection = connect_to("127.0.0.1");
    if (connection < 0) return "no connection";
    (void)!send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (no_more) shutdown(connection, SHUT_WR);
    std::string answer;
    char block[4096];
    for (ssize_t count = 0; (count = recv(connection, block, sizeof block, 0)) > 0;) answer.append(block, count);
    close(connection);
    return answer;
  }
  std::string get(const std::string& target, const std::string& headers = "") const {
    return ask(secret_ + target, headers);
  }
  std::string ask(const std::string& target, const std::string& headers = "") const {
    return say("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\nConnection: close\r\n" +
               headers + "\r\n");
  }
  std::string post(const std::string& target, const std::string& headers, const std::string& body = "") const {
    return say("POST " + secret_ + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
               "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" +
               body);
  }
  // As the page does.
  std::string act(const std::string& target, const std::string& body = "") const {
    return post(target, "Origin: http://127.0.0.1:" + std::to_string(port_) + "\r\n", body);
  }
  nlohmann::json state() const {
    const std::string answer = get("/api/state");
    return nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
  }
  nlohmann::json state_when(const std::function<bool(nlohmann::json)>& holds) const {
    nlohmann::json now = state();
    for (int attempt = 0; attempt < 300 && !holds(now); ++attempt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      now = state();
    }
    return now;
  }
  int connect_to(const char* address) const {
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<uint16_t>(port_));
    inet_pton(AF_INET, address, &place.sin_addr);
    const timeval patience = {10, 0};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(connection, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) return connection;
    close(connection);
    return -1;
  }

 private:
  Running program_;
  fs::path out_;
  int port_ = 0;
  std::string secret_;
  bool stopped_ = false;
};

nlohmann::json body_of(const std::string& answer) {
  return nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
}

class View : public testing::Test {
 protected:
  View() {
    folder_.write("model.toml", pendulum);
    EXPECT_EQ(carom(folder_, {"run", "model.toml", "--quiet"}).code, 0);
  }
  const Folder folder_;
};

TEST_F(View, ServesThePageAndTheData) {
  Viewer viewer(folder_, "model.h5");
  EXPECT_THAT(viewer.get("/"), AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("text/html"), HasSubstr("<html"),
                                     HasSubstr("Content-Security-Policy: default-src 'self'")));
  const auto scene = body_of(viewer.get("/api/scene"));
  EXPECT_EQ(scene["samples"], 101);
  EXPECT_EQ(scene["bodies"][0]["name"], "rod");
  EXPECT_EQ(scene["joints"][0]["points"][1][0], -0.5);
  EXPECT_EQ(body_of(viewer.get("/api/summary"))["status"], "complete");
  EXPECT_THAT(viewer.get("/api/model_text"), HasSubstr("name = \"Pendulum\""));
  EXPECT_THAT(viewer.get("/api/column?name=body%3Arod.x&points=10"), StartsWith("HTTP/1.1 200"));
  const Outcome outcome = viewer.stop();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(View, ShowsAModelBeforeItsRun) {
  Viewer viewer(folder_, "model.toml");
  const auto scene = body_of(viewer.get("/api/scene"));
  EXPECT_EQ(scene["kind"], "model");
  EXPECT_EQ(scene["samples"], 1);
  EXPECT_THAT(body_of(viewer.get("/api/summary"))["report"].get<std::string>(), HasSubstr("degrees of freedom"));
}

bool has_ended(nlohmann::json state) {
  return state["run"]["phase"] == "ended";
}

TEST_F(View, RunsAModelAndShowsItsResult) {
  fs::remove(folder_ / "model.h5");
  Viewer viewer(folder_, "model.toml");
  EXPECT_EQ(viewer.state()["run"]["phase"], "idle");
  const int before = viewer.state()["files"][0]["generation"];
  EXPECT_THAT(viewer.act("/api/run"), StartsWith("HTTP/1.1 200"));
  auto state = viewer.state_when(has_ended);
  EXPECT_EQ(state["run"]["code"], 0);
  state = viewer.state();
  EXPECT_EQ(state["files"][0]["kind"], "result");
  EXPECT_EQ(state["files"][0]["samples"], 101);
  EXPECT_GT(state["files"][0]["generation"], before);
  EXPECT_EQ(body_of(viewer.get("/api/scene"))["status"], "complete");
  // Again, after a change of the model.
  folder_.write("model.toml", replaced(pendulum, "end = 1", "end = 2"));
  EXPECT_THAT(viewer.act("/api/run"), StartsWith("HTTP/1.1 200"));
  viewer.state_when([](auto now) { return now["files"][0]["samples"] == 201; });
  EXPECT_EQ(viewer.state()["files"][0]["samples"], 201);
  EXPECT_EQ(viewer.stop().code, 0);
}

TEST_F(View, FollowsARunAndStopsItOnRequest) {
  folder_.write("endless.toml", endless);
  Viewer viewer(folder_, "endless.toml");
  viewer.act("/api/run");
  EXPECT_THAT(viewer.act("/api/run"), AllOf(StartsWith("HTTP/1.1 409"), HasSubstr("already")));
  auto state = viewer.state_when([](auto now) { return now["files"][0]["samples"] > 1; });
  EXPECT_EQ(state["run"]["phase"], "running");
  EXPECT_GT(state["run"]["t"], 0);
  EXPECT_EQ(state["run"]["to"], 20000);
  EXPECT_EQ(state["files"][0]["growing"], true);
  viewer.act("/api/stop");
  viewer.act("/api/stop");  // a second request must not take away the time to save
  state = viewer.state_when(has_ended);
  EXPECT_EQ(state["run"]["stopped"], true);
  EXPECT_EQ(viewer.state()["files"][0]["status"], "interrupted");
  EXPECT_EQ(carom(Folder(), {"info", (folder_ / "endless.h5").string()}).code, 0);
}

// Until the run has put its own in place, the model is shown and not an older result of the same name.
TEST_F(View, TakesNoOlderResultForThatOfItsRun) {
  folder_.write("endless.toml", endless);
  ASSERT_EQ(carom(folder_, {"run", "model.toml", "-o", "endless.h5", "--quiet"}).code, 0);
  Viewer viewer(folder_, "endless.toml");
  viewer.act("/api/run");
  bool older = false;
  viewer.state_when([&](auto now) {
    older = older || now["files"][0]["status"] == "complete";
    return now["files"][0]["kind"] == "result" && now["files"][0]["samples"] > 1;
  });
  EXPECT_FALSE(older);
  EXPECT_EQ(viewer.state()["files"][0]["growing"], true);
  EXPECT_EQ(viewer.stop().code, 0);
}

TEST_F(View, TellsWhyARunFails) {
  const Viewer viewer(folder_, "model.toml");
  folder_.write("model.toml", replaced(pendulum, "revolute", "revolut"));
  viewer.act("/api/run");
  auto state = viewer.state_when(has_ended);
  EXPECT_EQ(state["run"]["code"], 2);
  EXPECT_THAT(state["run"]["words"].get<std::string>(), HasSubstr("did you mean `revolute`"));
  EXPECT_EQ(carom(Folder(), {"info", (folder_ / "model.h5").string()}).code, 0) << "the older result is left alone";
}

TEST_F(View, KeepsWhatARunComputedWhenItEnds) {
  folder_.write("endless.toml", endless);
  for (const int signal : {SIGINT, SIGKILL}) {
    fs::remove(folder_ / "endless.h5");
    Viewer viewer(folder_, "endless.toml");
    viewer.act("/api/run");
    viewer.state_when([](auto now) { return now["files"][0]["samples"] > 1; });
    const Outcome outcome = viewer.stop(signal);
    EXPECT_EQ(outcome.code, signal == SIGINT ? 0 : -SIGKILL);
    // The run ends with its viewer, however that ended.
    std::string info;
    for (int attempt = 0; attempt < 100 && info.find("interrupted") == std::string::npos; ++attempt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      info = replaced(carom(Folder(), {"info", (folder_ / "endless.h5").string()}).out + "running or interrupted",
                      "running or interrupted", "");
    }
    EXPECT_THAT(info, HasSubstr("interrupted")) << signal;
  }
}

TEST_F(View, TellsThatTheDiskIsFull) {
  folder_.write("endless.toml", endless);
  const Viewer viewer(folder_, "endless.toml", {.largest_file = 400'000});
  viewer.act("/api/run");
  const auto state = viewer.state_when(has_ended);
  EXPECT_EQ(state["run"]["code"], 1);
  EXPECT_THAT(state["run"]["words"].get<std::string>(), HasSubstr("are saved in"));
  EXPECT_GT(viewer.state()["files"][0]["samples"], 1);
}

TEST_F(View, StartsNothingForForeignPages) {
  const Viewer viewer(folder_, "model.toml");
  const std::string port = std::to_string(viewer.port()), own = "Origin: http://127.0.0.1:" + port + "\r\n";
  for (const std::string& headers :
       {std::string(), std::string("Origin: null\r\n"), std::string("Origin: http://evil.example\r\n"),
        "Origin: http://evil.example:" + port + "\r\n", "Origin: https://127.0.0.1:" + port + "\r\n",
        own + "Sec-Fetch-Site: cross-site\r\n", own + "Sec-Fetch-Site: same-site\r\n"}) {
    EXPECT_THAT(viewer.post("/api/run", headers), StartsWith("HTTP/1.1 403")) << headers;
    EXPECT_THAT(viewer.post("/api/stop", headers), StartsWith("HTTP/1.1 403")) << headers;
  }
  // A foreign name that leads to this computer.
  EXPECT_THAT(
      viewer.say("POST " + viewer.secret() + "/api/run HTTP/1.1\r\nHost: evil.example:" + port +
                 "\r\nOrigin: http://evil.example:" + port + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
      StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(viewer.get("/api/run", own), AllOf(StartsWith("HTTP/1.1 405"), HasSubstr("Allow: POST")));
  EXPECT_THAT(viewer.post("/api/scene", own), StartsWith("HTTP/1.1 405"));
  EXPECT_EQ(viewer.state()["run"]["phase"], "idle");
}

// Whoever else works on this computer can reach the port, but does not know the address.
TEST_F(View, AnswersOnlyWhoKnowsTheSecret) {
  const Viewer viewer(folder_, "model.toml");
  const std::string token = viewer.secret().substr(1);
  EXPECT_THAT(token, testing::MatchesRegex("[0-9a-f]{32}"));
  const Viewer another(folder_, "model.h5");
  EXPECT_NE(another.secret(), viewer.secret());
  std::string nearly = token;
  nearly.back() = nearly.back() == '0' ? '1' : '0';
  for (const std::string& prefix : {std::string(), "/" + nearly, "/" + token + "0", "/" + token.substr(0, 31),
                                    std::string("//") + token, another.secret(), std::string("/%20") + token}) {
    for (const char* path : {"/", "/index.html", "/icon.svg", "/api/state", "/api/scene", "/api/model_text"}) {
      EXPECT_THAT(viewer.ask(prefix + path),
                  AllOf(StartsWith("HTTP/1.1 403"), HasSubstr("text/plain"), HasSubstr("Copy the whole address"),
                        Not(HasSubstr("<html")), Not(HasSubstr("rod")), Not(HasSubstr(token))))
          << prefix << path;
    }
    EXPECT_THAT(viewer.say("POST " + prefix + "/api/run HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(viewer.port()) +
                           "\r\nOrigin: http://127.0.0.1:" + std::to_string(viewer.port()) +
                           "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
                StartsWith("HTTP/1.1 403"));
  }
  EXPECT_EQ(viewer.state()["run"]["phase"], "idle");
  EXPECT_THAT(viewer.get("/"), AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("Referrer-Policy: no-referrer"),
                                     Not(HasSubstr("Set-Cookie")), Not(HasSubstr(token))));
}

// A link that has the secret in it opens the page; it does not let a foreign page read anything.
TEST_F(View, IsOpenedByALinkWithTheSecret) {
  const Viewer viewer(folder_, "model.h5");
  const std::string foreign = "Sec-Fetch-Site: cross-site\r\n";
  const std::string window = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
  EXPECT_THAT(viewer.get("/", foreign + window), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(viewer.get("/api/scene", foreign + window), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(viewer.get("/", foreign + "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script\r\n"),
              StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(viewer.get("/", foreign + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n"),
              StartsWith("HTTP/1.1 403"));
}

TEST_F(View, RunsAModelWithOtherValuesOfItsParameters) {
  folder_.write("model.toml", replaced(replaced(pendulum, "end = 1", "end = \"=time_of_run\""), "length = \"1 m\"",
                                       "length = \"1 m\"\ntime_of_run = \"1000 ms\"  # how long\nunused = 3"));
  const Viewer viewer(folder_, "model.toml");
  const auto offered = body_of(viewer.get("/api/parameters"));
  EXPECT_EQ(offered["runs"], true);
  ASSERT_EQ(offered["list"].size(), 3u);
  EXPECT_EQ(offered["list"][1], nlohmann::json::parse(R"({"name": "time_of_run", "base": "1000 ms", "text": "1000 ms",
                                                          "value": 1.0, "unit": "s", "remark": "how long"})"));
  EXPECT_EQ(offered["list"][2]["text"], "3");

  // What does not fit is reported by the name of the parameter, and nothing is run.
  const std::string wrong = viewer.act("/api/run", R"({"set": {"time_of_run": "5 kg", "unused": "4"}})");
  EXPECT_THAT(wrong, StartsWith("HTTP/1.1 422"));
  EXPECT_THAT(body_of(wrong)["fields"]["time_of_run"].get<std::string>(),
              HasSubstr("expected a quantity of the same kind as \"1000 ms\""));
  EXPECT_FALSE(body_of(wrong)["fields"].contains("unused"));
  const std::string used = viewer.act("/api/run", R"({"set": {"time_of_run": "-2 s"}})");
  EXPECT_THAT(used, StartsWith("HTTP/1.1 422"));
  EXPECT_THAT(body_of(used)["fields"]["time_of_run"].get<std::string>(), HasSubstr("solver.end"));
  for (const char* nonsense : {"set", "[]", R"({"set": 3})", R"({"set": {"unused": 4}})"}) {
    EXPECT_THAT(viewer.act("/api/run", nonsense), StartsWith("HTTP/1.1 400")) << nonsense;
  }
  EXPECT_THAT(viewer.act("/api/run", std::string(100'000, ' ')), StartsWith("HTTP/1.1 413"));
  EXPECT_EQ(viewer.state()["run"]["phase"], "idle");

  EXPECT_THAT(viewer.act("/api/run", R"({"set": {"time_of_run": "0.5 s"}})"), StartsWith("HTTP/1.1 200"));
  viewer.state_when([](auto now) { return now["files"][0]["samples"] == 51; });
  EXPECT_EQ(viewer.state()["files"][0]["samples"], 51);
  const auto then = body_of(viewer.get("/api/parameters"));
  EXPECT_EQ(then["list"][1]["base"], "1000 ms");
  EXPECT_EQ(then["list"][1]["text"], "0.5 s");
  EXPECT_EQ(then["list"][1]["value"], 0.5);

  // Of a result: the values that it was computed with.
  viewer.state_when(has_ended);
  const Viewer result(folder_, "model.h5");
  const auto as_run = body_of(result.get("/api/parameters"));
  EXPECT_EQ(as_run["runs"], false);
  EXPECT_EQ(as_run["list"][1]["text"], "0.5 s");
  EXPECT_EQ(as_run["list"][2]["text"], "3");
}

TEST_F(View, ListensOnTheLoopbackOnly) {
  const Viewer viewer(folder_, "model.h5");
  EXPECT_THAT(viewer.get("/"), StartsWith("HTTP/1.1 200"));
  // Every other address of 127/8 belongs to this computer as well; a server bound to all would answer there.
  EXPECT_LT(viewer.connect_to("127.0.0.2"), 0);
}

TEST_F(View, RefusesForeignNamesPagesAndMethods) {
  const Viewer viewer(folder_, "model.h5");
  const std::string port = std::to_string(viewer.port());
  for (const std::string& host :
       {std::string("evil.example"), "evil.example:" + port, std::string("127.0.0.1"), "127.0.0.2:" + port}) {
    EXPECT_THAT(
        viewer.say("GET " + viewer.secret() + "/api/scene HTTP/1.1\r\nConnection: close\r\nHost: " + host + "\r\n\r\n"),
        AllOf(StartsWith("HTTP/1.1 403"), Not(HasSubstr("rod"))));
  }
  EXPECT_THAT(viewer.get("/api/scene", "Origin: http://evil.example\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(viewer.get("/api/scene", "Sec-Fetch-Site: cross-site\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(viewer.get("/api/scene", "Origin: http://127.0.0.1:" + port + "\r\n"), StartsWith("HTTP/1.1 200"));
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD"}) {
    EXPECT_THAT(viewer.say(std::string(method) + " " + viewer.secret() +
                           "/api/scene HTTP/1.1\r\nConnection: close\r\nHost: 127.0.0.1:" + port +
                           "\r\nContent-Length: 0\r\n\r\n"),
                StartsWith("HTTP/1.1 405"))
        << method;
  }
}

TEST_F(View, ServesNoOtherFiles) {
  folder_.write("secret.txt", "treasure");
  const Viewer viewer(folder_, "model.h5");
  for (const char* path :
       {"/secret.txt", "/../secret.txt", "/%2e%2e/secret.txt", "//secret.txt", "/assets/../../secret.txt",
        "/..%5csecret.txt", "/api/../secret.txt", "/index.html%00.txt", "/api/model_text/../../secret.txt"}) {
    EXPECT_THAT(viewer.get(path), AllOf(StartsWith("HTTP/1.1 40"), Not(HasSubstr("treasure")))) << path;
  }
}

TEST_F(View, SurvivesNonsense) {
  const Viewer viewer(folder_, "model.h5");
  const std::string host = "Host: 127.0.0.1:" + std::to_string(viewer.port()) + "\r\n";
  for (const std::string& bytes :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string(1 << 20, 'A'), "GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\n" + host + "\r\n",
        std::string("\x16\x03\x01\x02\x00\x01", 6),
        "GET " + viewer.secret() + "/api/column?name=%ff%00%&from=%%&to=1e999 HTTP/1.1\r\n" + host +
            "Connection: close\r\n\r\n",
        "GET " + viewer.secret() + "/ HTTP/1.1\r\n" + host +
            "Content-Length: 99999999999999999999\r\nConnection: close\r\n\r\n",
        "GET " + viewer.secret() + "/ HTTP/1.1\r\n" + host +
            "Range: bytes=5-2,-99999999999\r\nConnection: close\r\n\r\n",
        "GET " + viewer.secret() + "/api/frames?from=18446744073709551615&to=-1 HTTP/1.1\r\n" + host +
            "Connection: close\r\n\r\n"}) {
    EXPECT_THAT(viewer.say(bytes, true), Not(StartsWith("HTTP/1.1 5"))) << bytes.substr(0, 60);
  }
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string bytes = "GET " + viewer.secret() + "/api/column?name=body:rod.x&points=10 HTTP/1.1\r\n" + host +
                        "Connection: close\r\n\r\n";
    for (int k = 0; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    viewer.say(bytes, true);
  }
  EXPECT_THAT(viewer.get("/api/scene"), StartsWith("HTTP/1.1 200"));
}

TEST_F(View, TellsInThePageWhenTheFileBecomesUnreadable) {
  const Viewer viewer(folder_, "model.h5");
  ASSERT_THAT(viewer.get("/api/scene"), StartsWith("HTTP/1.1 200"));
  fs::copy_file(folder_ / "model.h5", folder_ / "good.h5");
  fs::resize_file(folder_ / "model.h5", 3000);
  fs::last_write_time(folder_ / "model.h5", fs::file_time_type::clock::now() + std::chrono::seconds(2));
  EXPECT_THAT(viewer.get("/api/scene"), AllOf(StartsWith("HTTP/1.1 404"), HasSubstr("truncated or damaged")));
  fs::copy_file(folder_ / "good.h5", folder_ / "new.h5");
  fs::rename(folder_ / "new.h5", folder_ / "model.h5");
  fs::last_write_time(folder_ / "model.h5", fs::file_time_type::clock::now() + std::chrono::seconds(4));
  EXPECT_THAT(viewer.get("/api/scene"), StartsWith("HTTP/1.1 200"));
}

TEST_F(View, ReadsAgainWhatARunHasWrittenSince) {
  folder_.write("endless.toml", endless);
  const Folder elsewhere;  // of the run's own words
  const Running run(elsewhere, {"run", (folder_ / "endless.toml").string(), "-o", (folder_ / "endless.h5").string()});
  for (int attempt = 0; attempt < 500; ++attempt) {
    if (carom(elsewhere, {"info", (folder_ / "endless.h5").string()}, {.folder = folder_.path()}).code == 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const Viewer viewer(folder_, "endless.h5");
  const auto first = body_of(viewer.get("/api/scene"));
  EXPECT_EQ(first["status"], "running or interrupted");
  auto later = first;
  for (int attempt = 0; attempt < 100 && later["samples"] == first["samples"]; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    later = body_of(viewer.get("/api/scene"));
  }
  EXPECT_GT(later["samples"], first["samples"]);
  run.signal(SIGINT);
  run.wait();
  EXPECT_EQ(body_of(viewer.get("/api/scene"))["status"], "interrupted");
}

TEST_F(View, RefusesFilesThatAreNoResults) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(why));
  };
  folder_.write("notes.h5", "no HDF5 at all");
  refused({"view", "notes.h5"}, "it is not an HDF5 file");
  refused({"view", "nothing.h5"}, "No such file");
  refused({"view", "nothing.toml"}, "no such file");
  folder_.write("bad.toml", replaced(pendulum, "revolute", "revolut"));
  refused({"view", "bad.toml"}, "did you mean `revolute`");
  fs::resize_file(folder_ / "model.h5", fs::file_size(folder_ / "model.h5") / 2);
  refused({"view", "model.h5"}, "truncated or damaged");
  refused({"view", "model.toml", "--port", "70000"}, "--port");
}

TEST_F(View, RefusesAPortThatIsTaken) {
  Viewer first(folder_, "model.h5");
  const Folder elsewhere;
  const Outcome outcome =
      carom(elsewhere, {"view", (folder_ / "model.h5").string(), "--no-open", "--port", std::to_string(first.port())});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("leave --port out"));
  EXPECT_EQ(first.stop(SIGTERM).code, 0);
}

}  // namespace
}  // namespace carom::cli
