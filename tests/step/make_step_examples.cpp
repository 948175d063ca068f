// make_step_examples FOLDER: writes the STEP files of the examples.
#include <cstdio>
#include <fstream>

#include "assemblies.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_step_examples FOLDER\n");
    return 2;
  }
  std::ofstream stream(std::string(argv[1]) + "/engine.step", std::ios::binary);
  stream << carom::making::make_engine(7850).text;
  return stream.flush().good() ? 0 : 1;
}
