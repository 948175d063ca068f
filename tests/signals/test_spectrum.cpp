#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "signals/spectrum.h"

namespace carom {
namespace {

struct Signal {
  std::vector<double> times, values;
};

// 3 + 2 sin(2π 50.3 t) + 0.1 sin(2π 211 t), sampled 2000 times a second.
Signal two_tones(std::size_t count) {
  Signal signal;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = 1 + static_cast<double>(i) / 2000, turn = 2 * std::numbers::pi * t;
    signal.times.push_back(t);
    signal.values.push_back(3 + 2 * std::sin(50.3 * turn) + 0.1 * std::sin(211 * turn));
  }
  return signal;
}

TEST(AmplitudeSpectrum, TellsFrequencyAndAmplitudeOfTones) {
  const Signal signal = two_tones(2003);  // not a length that the transform likes
  const Spectrum spectrum = amplitude_spectrum(signal.times, signal.values);
  ASSERT_EQ(spectrum.peaks.size(), 2u);
  EXPECT_NEAR(spectrum.peaks[0].frequency, 50.3, 0.01);
  EXPECT_NEAR(spectrum.peaks[0].amplitude, 2, 0.005);
  EXPECT_NEAR(spectrum.peaks[1].frequency, 211, 0.02);
  EXPECT_NEAR(spectrum.peaks[1].amplitude, 0.1, 0.001);
  EXPECT_NEAR(spectrum.resolution, 1, 0.01);
  EXPECT_LT(spectrum.amplitudes[0], 0.01) << "the mean is no swing";
  EXPECT_EQ(spectrum.samples, 2000u);
  EXPECT_EQ(spectrum.amplitudes.size(), 1001u);
}

TEST(AmplitudeSpectrum, BearsGapsAndUnequalTimes) {
  Signal signal = two_tones(4000);
  for (std::size_t i = 1000; i < 1010; ++i) signal.values[i] = std::nan("");
  signal.times.push_back(signal.times.back());  // twice the same instant
  signal.values.push_back(1e9);
  const Spectrum spectrum = amplitude_spectrum(signal.times, signal.values);
  ASSERT_FALSE(spectrum.peaks.empty());
  EXPECT_NEAR(spectrum.peaks[0].frequency, 50.3, 0.2);
  EXPECT_NEAR(spectrum.peaks[0].amplitude, 2, 0.05);
}

TEST(AmplitudeSpectrum, OfTooLittleIsNothing) {
  EXPECT_TRUE(amplitude_spectrum({0, 1, 2}, {1, 2, 3}).amplitudes.empty());
  EXPECT_TRUE(amplitude_spectrum(std::vector<double>(100, 1), std::vector<double>(100, 1)).amplitudes.empty());
  EXPECT_TRUE(amplitude_spectrum({}, {}).peaks.empty());
  Signal constant = two_tones(100);
  constant.values.assign(100, 7);
  EXPECT_TRUE(amplitude_spectrum(constant.times, constant.values).peaks.empty());
}

TEST(AmplitudeSpectrum, FindsALineNearAFrequency) {
  const Signal signal = two_tones(2000);
  const Spectrum spectrum = amplitude_spectrum(signal.times, signal.values);
  const SpectrumPeak weak = peak_near(spectrum, 210, 2.5);
  EXPECT_NEAR(weak.frequency, 211, 0.02);
  EXPECT_NEAR(weak.amplitude, 0.1, 0.001);
  EXPECT_EQ(peak_near(spectrum, 300, 2.5).amplitude, 0);
  EXPECT_EQ(peak_near(spectrum, 46, 3).amplitude, 0) << "the line at 50.3 Hz is out of reach";
}

TEST(Spectrum, EntropyTellsTonesFromNoise) {
  std::vector<double> times, tone, noise;
  double x = 0.3;
  for (int k = 0; k < 4096; ++k) {
    times.push_back(0.01 * k);
    tone.push_back(std::sin(7 * times.back()));
    x = 3.99 * x * (1 - x);
    noise.push_back(x);
  }
  EXPECT_LT(spectral_entropy(amplitude_spectrum(times, tone)), 0.2);
  EXPECT_GT(spectral_entropy(amplitude_spectrum(times, noise)), 0.8);
  EXPECT_TRUE(std::isnan(spectral_entropy(amplitude_spectrum(times, std::vector<double>(4096, 1.0)))));
}

}  // namespace
}  // namespace carom
