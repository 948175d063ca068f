#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// Catalogues: the types of one kind that a model can name, sorted by name. They start with an explicit list of what is
// built in; parts made by users are added while the program runs.
namespace carom::inline model {

// Counts what was added to catalogues; tables that list their names are made anew when it has changed.
std::size_t catalogue_changes();
void note_catalogue_change();

// Something made of catalogues, made anew when they have changed. What was made before stays, for those who look at it
// still.
template <class Made>
class UpToDate {
 public:
  template <class Make>
  const Made& get(Make make) {
    const std::lock_guard lock(mutex_);
    const std::size_t changes = catalogue_changes();
    const auto place = made_.find(changes);
    return place != made_.end() ? place->second : made_.emplace(changes, make()).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::size_t, Made> made_;
};

// Entries stay where they are when others are added. Adding is not for several threads, nor while others read.
template <class Description>
class Catalogue {
 public:
  explicit Catalogue(std::vector<Description> built_in) {
    for (Description& each : built_in) entries_.push_back(std::make_unique<Description>(std::move(each)));
  }

  class Iterator {
   public:
    // NOLINTBEGIN(readability-identifier-naming): names of the standard library
    using iterator_category = std::forward_iterator_tag;
    using value_type = Description;
    using difference_type = std::ptrdiff_t;
    using pointer = const Description*;
    using reference = const Description&;
    // NOLINTEND(readability-identifier-naming)

    Iterator() = default;
    explicit Iterator(const std::unique_ptr<Description>* at) : at_(at) {}
    reference operator*() const { return **at_; }
    pointer operator->() const { return at_->get(); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    const std::unique_ptr<Description>* at_ = nullptr;
  };

  Iterator begin() const { return Iterator(entries_.data()); }
  Iterator end() const { return Iterator(entries_.data() + entries_.size()); }
  std::size_t size() const { return entries_.size(); }
  const Description& operator[](std::size_t k) const { return *entries_[k]; }

  const Description* find(const std::string& name) const {
    const auto found = std::find_if(begin(), end(), [&](const Description& each) { return each.name == name; });
    return found == end() ? nullptr : &*found;
  }

  // False, and nothing is added, if the name is taken.
  bool add(Description description) {
    if (find(description.name)) return false;
    const auto place =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& each) { return each->name > description.name; });
    entries_.insert(place, std::make_unique<Description>(std::move(description)));
    note_catalogue_change();
    return true;
  }

 private:
  std::vector<std::unique_ptr<Description>> entries_;
};

}  // namespace carom::inline model
