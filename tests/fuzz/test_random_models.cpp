#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../model_io/sample_models.h"

namespace carom {
namespace {

RC_GTEST_PROP(RandomModels, AnyBytesAreRead, (const std::string& text)) {
  ProblemList problems;
  sample::read(text, problems);
  RC_ASSERT(problems.errors() > 0);  // a model needs a body, which chance does not write
}

RC_GTEST_PROP(RandomModels, ASliceReplacedByAnyBytesIsRead, (const std::string& insertion)) {
  std::string text = *rc::gen::element(sample::slider_crank, sample::spatial, sample::contact);
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  const auto length = *rc::gen::inRange<std::size_t>(0, 20);
  text.replace(at, length, insertion);
  ProblemList problems;
  sample::read(text, problems);
}

RC_GTEST_PROP(RandomModels, AnyValueOfAnyKeyIsRead, ()) {
  std::string text = *rc::gen::element(sample::slider_crank, sample::spatial, sample::contact);
  const auto value = *rc::gen::element<std::string>(
      "1", "-1", "0", "1e308", "nan", "inf", "true", "\"\"", "\"=t\"", "[]", "[[]]", "[[1, 2], [3]]", "{}",
      "{ table = [[0, 1]] }", "1979-05-27", "\"ground\"", "[\"ground\", \"ground\"]", "\"=1/0\"", "[1, 2, 3, 4]");
  // The value after the n-th equals sign that begins one.
  std::size_t at = 0;
  for (int k = *rc::gen::inRange(0, 80); k >= 0; --k) at = std::min(text.find(" = ", at + 1), text.size());
  if (at < text.size()) text.replace(at + 3, std::min(text.find('\n', at), text.size()) - at - 3, value);
  ProblemList problems;
  sample::read(text, problems);
}

}  // namespace
}  // namespace carom
