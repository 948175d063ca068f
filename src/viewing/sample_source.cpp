#include "viewing/sample_source.h"

#include <algorithm>
#include <optional>

namespace carom::inline viewing {
namespace {

class ResultSamples : public SampleSource {
 public:
  explicit ResultSamples(ResultReader reader) : reader_(std::move(reader)), times_(reader_.times()) {}

  const std::vector<ChannelGroup>& groups() const override { return reader_.header().groups; }
  const std::vector<double>& times() const override { return times_; }
  void read_rows(std::size_t group, std::size_t first, std::size_t count, std::span<double> values) const override {
    reader_.read_rows(group, first, count, values);
  }
  std::vector<double> column(std::size_t group, std::size_t component) const override {
    const ChannelGroup& channels = groups()[group];
    return reader_.column(channels.name + "." + channels.components[component].name);
  }
  const std::vector<EventKind>& event_kinds() const override { return reader_.header().event_kinds; }
  const std::vector<EventRecord>& events() const override {
    if (!events_) {
      events_ = reader_.events();
      // An episode is logged when it ends, so the log need not be in the order of its times.
      std::stable_sort(events_->begin(), events_->end(), [](const auto& a, const auto& b) { return a.time < b.time; });
    }
    return *events_;
  }

 private:
  ResultReader reader_;
  std::vector<double> times_;
  mutable std::optional<std::vector<EventRecord>> events_;  // read when first asked for
};

class SingleSample : public SampleSource {
 public:
  SingleSample(double time, std::vector<ChannelGroup> groups, std::vector<double> values)
      : times_{time}, groups_(std::move(groups)), values_(std::move(values)) {
    std::size_t first = 0;
    for (const ChannelGroup& group : groups_) {
      first_.push_back(first);
      first += group.components.size();
    }
  }

  const std::vector<ChannelGroup>& groups() const override { return groups_; }
  const std::vector<double>& times() const override { return times_; }
  void read_rows(std::size_t group, std::size_t, std::size_t count, std::span<double> values) const override {
    if (count == 0) return;
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(first_[group]);
    std::copy_n(begin, groups_[group].components.size(), values.begin());
  }
  std::vector<double> column(std::size_t group, std::size_t component) const override {
    return {values_[first_[group] + component]};
  }
  const std::vector<EventKind>& event_kinds() const override { return kinds_; }
  const std::vector<EventRecord>& events() const override { return events_; }

 private:
  std::vector<double> times_;
  std::vector<ChannelGroup> groups_;
  std::vector<double> values_;
  std::vector<std::size_t> first_;
  std::vector<EventKind> kinds_;
  std::vector<EventRecord> events_;
};

}  // namespace

std::unique_ptr<SampleSource> samples_of(ResultReader reader) {
  return std::make_unique<ResultSamples>(std::move(reader));
}

std::unique_ptr<SampleSource> single_sample(double time, std::vector<ChannelGroup> groups, std::vector<double> values) {
  return std::make_unique<SingleSample>(time, std::move(groups), std::move(values));
}

}  // namespace carom::inline viewing
