#!/usr/bin/env node
// Follows a page to the letter, in an empty folder: writes its models, runs its commands in order, compares exit codes and output.
//   node tools/pages/run.mjs [--program CAROM] [--folder FOLDER] [--bring FILE] [--update] [--walk] PAGE...
// --bring puts a file into the folder. --update writes the output that commands have now into the page, where it differs, and pictures they draw to where the page has them. --walk runs the steps marked "walk", too, and
// sets no program: the page must install it. How a page says what is what: blocks.mjs, compare.mjs and CONTRIBUTING.md.
import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { read_blocks, read_commands } from './blocks.mjs';
import { first_difference } from './compare.mjs';

const sources = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options, positionals: pages } = parseArgs({
  allowPositionals: true,
  options: { program: { type: 'string' }, folder: { type: 'string' }, bring: { type: 'string', multiple: true }, update: { type: 'boolean' }, walk: { type: 'boolean' } },
});
const problems = [];
const free_languages = ['math', 'text', 'json', 'csv', 'html'];

// What depends on the last bits of a computation, or on the clock, is not written into a page.
function loosen(line) {
  if (/^ +wall time /.test(line)) return line.replace(/[\d.e+-]+ s/g, '… s');
  if (/^ +steps .* rejected/.test(line)) return line.replace(/[1-9]\d* (rejected|evaluations|factorisations)/g, '… $1');
  if (/^ +step size /.test(line)) return line.replace(/(step size\s+).*/, '$1… s');
  if (/^ +(constraint violation|energy residual|contact law error|deepest beginning|largest penetration) /.test(line))
    return line.replace(/\d\.\d+(e-\d+)/g, '…$1');
  if (/^ +(energy at the end|by (motion|force|contact|joint|bearing):\S+) /.test(line)) return line.replace(/-?\d\.\d+e-(0[6-9]|1\d|2\d)/g, '…');
  return line;
}

const code_of = (line) => line.replace(/\s+#.*$/, '').replace(/\s+/g, ' ').trim();

function compare_with_file(page, block) {
  const where = `${page}:${block.first}`;
  const file = join(sources, block.marker.text);
  if (!existsSync(file)) return problems.push(`${where}: there is no ${block.marker.text}`);
  const lines = readFileSync(file, 'utf8').split('\n');
  if (block.marker.verb === 'same as') {
    if (lines.join('\n').trimEnd() !== block.lines.join('\n').trimEnd()) problems.push(`${where}: the block differs from ${block.marker.text}`);
    return undefined;
  }
  let at = 0;
  for (const [k, line] of block.lines.entries()) {
    if (code_of(line) === '' || line.trim() === '…') continue;
    while (at < lines.length && code_of(lines[at]) !== code_of(line)) ++at;
    if (at++ >= lines.length) return problems.push(`${page}:${block.first + k}: not in ${block.marker.text} (in this order): ${line}`);
  }
  return undefined;
}

// Pictures that the page shows and its commands have drawn, by their names.
function take_pictures(page, folder) {
  for (const [, picture] of readFileSync(page, 'utf8').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
    const drawn = join(folder, basename(picture));
    if (existsSync(drawn)) copyFileSync(drawn, resolve(dirname(page), picture));
  }
}

// One page, one folder, one environment: `cd` and `export` hold until the end of the page. On a walk README is followed in the root of the
// sources, the other pages in an empty folder, and `export` holds from page to page: what README installs, they use.
class Walk {
  constructor(page, folder) {
    this.page = page;
    this.folder = folder;
    this.state = join(options.walk ? process.env.HOME : folder, '.state');
    if (folder !== sources) rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    if (options.walk) return appendFileSync(this.state, `cd '${folder}'\n`);
    for (const name of ['examples', 'cases']) symlinkSync(join(sources, name), join(folder, name));
    for (const file of options.bring ?? []) symlinkSync(resolve(file), join(folder, basename(file)));
    const path = options.program ? `${dirname(resolve(options.program))}:${process.env.PATH}` : process.env.PATH;
    writeFileSync(this.state, `export PATH='${path}' HOME='${folder}'\ncd '${folder}'\n`);
  }

  run(text) {
    const script = `. '${this.state}'\n${text}\nstatus=$?\n{ export -p; printf 'cd %q\\n' "$PWD"; } > '${this.state}'\nexit $status\n`;
    const done = spawnSync('bash', ['-c', `{ ${script} } 2>&1`], { encoding: 'utf8', timeout: options.walk ? 7200_000 : 300_000, maxBuffer: 1 << 28, input: '' });
    return { exit: done.status ?? 1, printed: done.stdout.replace(/\x1b\[[0-9;]*m/g, '').trimEnd().split('\n') };
  }

  model(block) {
    const named = /^# (file|add to): (\S+)$/.exec(block.lines[0] ?? '');
    const where = `${this.page}:${block.first}`;
    const text = `${block.lines.join('\n')}\n`;
    if (block.marker?.verb === 'check with') {
      const name = join(this.folder, `block_${block.first}.toml`);
      const base = existsSync(join(this.folder, block.marker.text)) ? block.marker.text : null;
      if (!base) return problems.push(`${where}: the page has no model ${block.marker.text}`);
      writeFileSync(name, `include = ["${base}"]\n${text}`);
      const { exit, printed } = this.run(`carom check block_${block.first}.toml`);
      if (exit !== 0) problems.push(`${where}: wrong together with ${base} (lines count from the one before the block):\n  ${printed.join('\n  ')}`);
      return undefined;
    }
    if (!named) return problems.push(`${where}: which file is this? Begin it with "# file: NAME.toml" or "# add to: NAME.toml", or put a comment before it`);
    if (named[1] === 'file') writeFileSync(join(this.folder, named[2]), text);
    else if (!existsSync(join(this.folder, named[2]))) problems.push(`${where}: the page has no file ${named[2]} yet`);
    else appendFileSync(join(this.folder, named[2]), text);
    return undefined;
  }

  commands(block, lines, shift) {
    let shifted = shift;
    for (const command of read_commands(block)) {
      const where = `${this.page}:${command.line}: ${command.text}`;
      if (options.walk) console.log(`${basename(this.page)}:${command.line}: ${command.text}`);
      const { exit, printed } = this.run(command.text);
      if (exit !== command.exit) {
        problems.push(`${where}\n  ended with ${exit} instead of ${command.exit}:\n  ${printed.slice(-30).join('\n  ')}`);
        if (options.walk) return shifted;
        continue;
      }
      if (!command.expected) continue;
      const at = first_difference(command.expected, printed);
      if (at < 0) continue;
      if (options.update && !command.expected.some((line) => line.trim() === '…' && command.expected.length > 1)) {
        const now = printed.map((line) => loosen(line).trimEnd());
        lines.splice(block.first - 1 + command.begin + shifted, command.expected.length, ...now);
        shifted += now.length - command.expected.length;
      } else problems.push(`${where}\n  does not print line ${at + 1} of what the page shows:\n    ${command.expected[at]}\n  but:\n    ${printed.slice(0, 60).join('\n    ')}`);
    }
    return shifted;
  }
}

for (const page of pages) {
  const in_sources = options.walk && basename(page) === 'README.md';
  const folder = in_sources ? sources : options.folder ? resolve(options.folder) : mkdtempSync(join(tmpdir(), 'carom-page-'));
  const walk = new Walk(page, folder);
  const lines = readFileSync(page, 'utf8').split('\n');
  let shift = 0;
  for (const block of read_blocks(page, problems)) {
    const verb = block.marker?.verb;
    if (block.language === 'hidden') writeFileSync(join(folder, block.name), `${block.lines.join('\n')}\n`);
    else if (verb === 'shown only' || (verb === 'walk' && !options.walk) || free_languages.includes(block.language)) continue;
    else if (verb === 'part of' || verb === 'same as') compare_with_file(page, block);
    else if (block.language === 'toml' || block.language === 'python') walk.model(block);
    else if (block.language === 'console' || block.language === 'sh') shift = walk.commands(block, lines, shift);
    else problems.push(`${page}:${block.first}: nothing checks this block${block.language ? ` of ${block.language}` : ''}: name its language, or put a comment before it that says what it is`);
  }
  if (options.update) {
    writeFileSync(page, lines.join('\n'));
    take_pictures(page, folder);
  }
  if (!options.folder && !in_sources) rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
console.log(`${pages.join(', ')}: ${problems.length === 0 ? 'as written' : `${problems.length} problems`}`);
process.exit(problems.length === 0 ? 0 : 1);
