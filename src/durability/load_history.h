#pragma once

#include <string>
#include <vector>

#include "durability/bearing_life.h"
#include "model/model.h"
#include "recording/result_reader.h"

// Histories of loads and speeds out of results, for counting and for the life of bearings.
namespace carom::inline durability {

struct LoadHistory {
  std::string name, unit;
  std::vector<double> time, value;  // s, and the unit
};

// One quantity as it is, several of one unit as the length of a vector, between two times. Throws ResultError with the
// nearest names where a quantity was not recorded, and where fewer than two samples are left.
LoadHistory load_history(const ResultReader& result, const std::vector<std::string>& quantities, double from,
                         double to);

// The largest Hertz pressure under a normal force of a contact, Pa. Throws ResultError where the model or the events do
// not tell it, with the remedy.
LoadHistory pressure_history(const ResultReader& result, const Model& model, const LoadHistory& force);

// The loads with their weights: the way turned, |ω| Δt in turns, where the speed is known (`speed` of one value is
// constant, empty: not known), and the time otherwise. Each interval between samples has the mean of its ends.
std::vector<LoadPart> load_parts(const LoadHistory& load, const std::vector<double>& speed);

}  // namespace carom::inline durability
