#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "signals/envelope.h"

namespace carom {
namespace {

constexpr double rate = 10000;  // Hz

template <class Function>
EvenSamples sampled(std::size_t count, const Function& f) {
  EvenSamples samples{.start = 0.5, .step = 1 / rate};
  for (std::size_t k = 0; k < count; ++k) samples.values.push_back(f(static_cast<double>(k) / rate));
  return samples;
}

double turns(double frequency, double t) {
  return std::cos(2 * std::numbers::pi * frequency * t);
}

// (1 + m cos Ω t) cos ω t and a louder hum outside of the band.
EvenSamples modulated(std::size_t count) {
  return sampled(count, [](double t) { return (1 + 0.4 * turns(30, t)) * turns(2000, t) + 5 * turns(60, t); });
}

TEST(Envelope, OfAModulatedToneIsItsModulation) {
  const EvenSamples signal = modulated(10000), envelope = envelope_of(signal, {1500, 2500});
  ASSERT_EQ(envelope.values.size(), 10000u);
  EXPECT_EQ(envelope.start, 0.5);
  for (std::size_t k = 0; k < envelope.values.size(); ++k)
    ASSERT_NEAR(envelope.values[k], 1 + 0.4 * turns(30, static_cast<double>(k) / rate), 1e-11) << k;
}

TEST(Envelope, SpectrumHasTheModulationAndNotTheCarrier) {
  const Spectrum spectrum = envelope_spectrum(modulated(10000), {1500, 2500}, 5);
  ASSERT_EQ(spectrum.peaks.size(), 1u);
  EXPECT_NEAR(spectrum.peaks[0].frequency, 30, 1e-6);
  EXPECT_NEAR(spectrum.peaks[0].amplitude, 0.4, 1e-6);
}

// The product of two modulations: side bands of half their product about the faster one.
TEST(Envelope, SpectrumHasSideBands) {
  const EvenSamples signal =
      sampled(20000, [](double t) { return (1 + 0.5 * (1 + 0.6 * turns(25, t)) * turns(160, t)) * turns(3000, t); });
  const Spectrum spectrum = envelope_spectrum(signal, {2500, 3500}, 5);
  ASSERT_EQ(spectrum.peaks.size(), 3u);
  const std::vector<SpectrumPeak> expected = {{135, 0.15}, {160, 0.5}, {185, 0.15}};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(spectrum.peaks[k].frequency, expected[k].frequency, 1e-6);
    EXPECT_NEAR(spectrum.peaks[k].amplitude, expected[k].amplitude, 1e-6);
  }
}

// A record that does not repeat itself, of a length that the transform does not like.
TEST(Envelope, HoldsInsideOfAnyRecord) {
  const auto modulation = [](double t) { return 2 + std::exp(-3 * t); };
  const EvenSamples signal = sampled(9973, [&](double t) { return modulation(t) * turns(2345.6, t); });
  const EvenSamples envelope = envelope_of(signal, {1500, 3200});
  for (std::size_t k = 500; k + 600 < envelope.values.size(); ++k)
    ASSERT_NEAR(envelope.values[k], modulation(static_cast<double>(k) / rate), 0.02) << k;
}

// Ringing at 3 kHz set off 40 times a second, in noise of more than its power and a hum.
TEST(Envelope, TheBandOfTheBlowsIsFound) {
  std::mt19937 random(7);
  const auto noise = [&] { return 2e-9 * static_cast<double>(random()) - 4.29; };  // even, ± 4.3, σ 2.5
  const EvenSamples signal = sampled(30000, [&](double t) {
    const double since = std::fmod(t, 1 / 40.0);
    return 8 * std::exp(-800 * since) * turns(3000, since) + 0.6 * noise() + 20 * turns(50, t);
  });
  const BandChoice choice = choose_band(signal, 200);
  EXPECT_LT(choice.band.low, 3000);
  EXPECT_GT(choice.band.high, 3000);
  EXPECT_GE(choice.band.high - choice.band.low, 200);
  EXPECT_GT(choice.kurtosis, 3);
  const Spectrum spectrum = envelope_spectrum(signal, choice.band, 1);
  ASSERT_EQ(spectrum.peaks.size(), 1u);
  EXPECT_NEAR(spectrum.peaks[0].frequency, 40, 0.05);
  const Spectrum without = spectrum_of(signal, 1);
  EXPECT_NEAR(without.peaks[0].frequency, 50, 0.05) << "the plain spectrum shows the hum";
}

// Blows of a millionth of the power, as rounding makes them, beside a modulated tone.
TEST(Envelope, TheBandIsNotOneOfRounding) {
  const EvenSamples signal = sampled(10000, [](double t) {
    const double since = std::fmod(t, 1 / 40.0);
    return (1 + 0.4 * turns(30, t)) * turns(2000, t) + 1e-3 * std::exp(-800 * since) * turns(4300, since);
  });
  const BandChoice choice = choose_band(signal, 300);
  EXPECT_LT(choice.band.low, 2000);
  EXPECT_GT(choice.band.high, 2000);
  const EvenSamples still = sampled(1000, [](double) { return 3.0; });
  EXPECT_EQ(choose_band(still, 300).band.high, rate / 2);
}

TEST(Envelope, KurtosisIsThatOfAToneAndOfNoise) {
  const EvenSamples tone = sampled(8192, [](double t) { return turns(2000, t) + turns(3500, t); });
  EXPECT_NEAR(choose_band(tone, 2500).kurtosis, -1, 1e-3) << "the upper of the two tones";
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const EvenSamples noise = sampled(65536, [&](double) { return normal(random); });
  EXPECT_LT(std::abs(choose_band(noise, 1000).kurtosis), 0.2);
}

}  // namespace
}  // namespace carom
