// carom-step CHORD products|solids: reads a STEP file from its input and writes what it holds, packed, to its output.
// Carom starts it; a file that Open CASCADE cannot bear ends this program and not Carom.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <new>
#include <sstream>
#include <string>

#include <OSD.hxx>
#include <Standard_Failure.hxx>

#include "products.h"
#include "step/transfer.h"

namespace {

// Most bytes that reading may take: a broken file must not fill the machine. The sanitizers reserve far more addresses
// than there is memory, and are left to them.
void bound_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)), page = static_cast<double>(sysconf(_SC_PAGESIZE));
  const auto most = static_cast<rlim_t>(0.75 * pages * page);
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur <= most) return;
  limit.rlim_cur = most;
  setrlimit(RLIMIT_AS, &limit);
#endif
}

std::vector<std::uint8_t> answer(const carom::StepOptions& options) {
  const carom::StepError broken("a file that Open CASCADE cannot read", "a STEP file that can be read",
                                "open it in a CAD program and export it again");
  try {
    return carom::packed(carom::read_products(std::cin, options));
  } catch (const carom::StepError& error) {
    return carom::packed(error);
  } catch (const std::bad_alloc&) {
    return carom::packed(carom::StepError("a file that needs more memory than there is", "a smaller part",
                                          "leave out details, or give a larger `chord`"));
  } catch (const Standard_Failure& failure) {
    const std::string text = failure.GetMessageString() ? failure.GetMessageString() : "";
    return carom::packed(carom::StepError(
        std::string(broken.what()) + " (" + failure.DynamicType()->Name() + (text.empty() ? "" : ": " + text) + ")",
        broken.expected(), broken.remedy()));
  } catch (const std::exception& error) {
    return carom::packed(
        carom::StepError(std::string(broken.what()) + " (" + error.what() + ")", broken.expected(), broken.remedy()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "carom-step is started by carom\n";
    return 2;
  }
  // Open CASCADE talks to the output, which is for the answer alone.
  const int output = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (output < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0) return 1;
  bound_memory();
  carom::StepOptions options;
  options.chord = std::strtod(argv[1], nullptr);
  options.solids_apart = std::string(argv[2]) == "solids";
  const std::vector<std::uint8_t> bytes = answer(options);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(output, bytes.data() + done, bytes.size() - done);
    if (count <= 0) return 1;
    done += static_cast<std::size_t>(count);
  }
  // Without the destructors of Open CASCADE, which take as long as the reading.
  _exit(0);
}
