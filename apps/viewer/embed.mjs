// Writes the files of a folder into a C++ source: node embed.mjs FOLDER SOURCE
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

function filesIn(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesIn(path) : [path];
    });
}

// Compilers read string literals much faster than lists of numbers. Octal escapes have at most three digits, so what
// follows one cannot be taken for a part of it.
function literalOf(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 4096) {
    let line = "";
    for (const byte of bytes.subarray(at, at + 4096)) {
      const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
      line += plain ? String.fromCharCode(byte) : "\\" + byte.toString(8).padStart(3, "0");
    }
    lines.push(`"${line}"`);
  }
  return lines.join("\n") || '""';
}

const [folder, source] = process.argv.slice(2);
const entries = filesIn(folder).map((file) => {
  const type = types[extname(file)];
  if (!type) throw new Error(`no Content-Type is known for ${file}; add it to embed.mjs`);
  const bytes = readFileSync(file);
  const path = "/" + relative(folder, file).replaceAll("\\", "/");
  return `  {"${path}", "${type}", std::string_view(${literalOf(bytes)}, ${bytes.length})},`;
});
writeFileSync(
  source,
  `// Made by apps/viewer/embed.mjs.
#include "viewing/embedded_files.h"

namespace carom::inline viewing {
namespace {
const EmbeddedFile files[] = {
${entries.join("\n")}
};
}  // namespace

std::span<const EmbeddedFile> embedded_files() {
  return files;
}

}  // namespace carom::inline viewing
`,
);
