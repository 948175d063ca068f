// The tests of the pages can fail: what they must notice, they notice.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { first_difference, same_line } from '../../tools/pages/compare.mjs';
import { slug } from '../../tools/pages/slug.mjs';

const tools = join(dirname(fileURLToPath(import.meta.url)), '../../tools/pages');

function follow(page, tool = 'run.mjs', ...options) {
  const folder = mkdtempSync(join(tmpdir(), 'carom-pages-'));
  const file = join(folder, 'page.md');
  writeFileSync(file, page);
  const done = spawnSync('node', [join(tools, tool), ...options, file], { encoding: 'utf8' });
  const text = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  return { status: done.status, said: done.stderr, text };
}
const fenced = (language, ...lines) => ['```' + language, ...lines, '```', ''].join('\n');

test('lines agree but for spaces, small differences of numbers and what is left open', () => {
  assert.ok(same_line('  force   12.0 N', 'force 12.05 N'));
  assert.ok(!same_line('force 12.0 N', 'force 12.5 N'));
  assert.ok(same_line('wall time … s', 'wall time 0.3 s'));
  assert.ok(!same_line('3 freedoms', '4 freedoms'));
  assert.ok(same_line('…e-12 position', '2.7e-12 position'));
  assert.ok(!same_line('yes (a+b)', 'yes (aab)'));
});

test('a line of "…" stands for any number of lines', () => {
  assert.equal(first_difference(['a', '…', 'd'], ['a', 'b', 'c', 'd']), -1);
  assert.equal(first_difference(['…'], []), -1);
  assert.equal(first_difference(['a', '…', 'e'], ['a', 'b', 'c', 'd']), 2);
  assert.equal(first_difference(['a'], ['a', 'b']), 0);
});

test('commands run in order, in one environment', () => {
  const page = `${fenced('toml', '# file: a.toml', 'x = 1')}${fenced('toml', '# add to: a.toml', 'y = 2')}`
    + fenced('console', '$ cat a.toml', '# file: a.toml', 'x = 1', '# add to: a.toml', 'y = 2', '$ export WORD=hello', '$ echo \\', '> $WORD', 'hello', '$ false   # exit 1');
  const { status, said } = follow(page);
  assert.equal(status, 0, said);
});

test('wrong output, a wrong end, blocks without a sense are noticed', () => {
  assert.match(follow(fenced('console', '$ echo 5', '6')).said, /does not print line 1/);
  assert.match(follow(fenced('sh', 'exit 3')).said, /ended with 3 instead of 0/);
  assert.match(follow(fenced('toml', 'x = 1')).said, /which file is this/);
  assert.match(follow(fenced('', 'x = 1')).said, /nothing checks this block/);
  assert.match(follow('Text\n\n    carom run a.toml\n').said, /an indented block/);
  assert.match(follow('<!-- shown only: why -->\nText\n').said, /no block follows/);
  assert.match(follow(`<!-- part of: README.md -->\n${fenced('toml', 'never = "there"')}`).said, /not in README.md/);
  assert.equal(follow(`<!-- shown only: why -->\n${fenced('sh', 'exit 3')}`).status, 0);
});

test('--update writes what commands print', () => {
  assert.equal(follow(fenced('console', '$ printf "1\\n2\\n"', '?', '$ echo 3', '4'), 'run.mjs', '--update').text,
    fenced('console', '$ printf "1\\n2\\n"', '1', '2', '$ echo 3', '3'));
});

test('links that lead nowhere are noticed', () => {
  assert.equal(follow('# A b\n\n[here](#a-b) and [code](#no) `[no](x.md)`', 'links.mjs').status, 1);
  assert.equal(follow('# A b\n\n[here](#a-b) `[no](x.md)` [out](https://a.b)', 'links.mjs').status, 0);
  assert.match(follow('[gone](gone.md)', 'links.mjs').said, /gone.md leads nowhere/);
});

test('links of a site that lead nowhere, or elsewhere by themselves, are noticed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carom-site-'));
  const check = (html) => {
    writeFileSync(join(folder, 'a.html'), html);
    return spawnSync('node', [join(tools, '../site/check.mjs'), folder], { encoding: 'utf8' });
  };
  assert.equal(check('<p id="x"><a href="a.html#x">x</a> <a href="https://a.b">out</a>').status, 0);
  assert.match(check('<a href="a.html#y">y</a>').stderr, /has no #y/);
  assert.match(check('<a href="b.html">y</a>').stderr, /b.html leads nowhere/);
  assert.match(check('<img src="https://a.b/c.png">').stderr, /fetches https/);
  rmSync(folder, { recursive: true });
});

test('anchors are those of code-hosting sites', () => {
  assert.equal(slug('`carom life`, `carom wear`'), 'carom-life-carom-wear');
  assert.equal(slug('How to add …'), 'how-to-add-');
  assert.equal(slug('Twice', new Set(['twice'])), 'twice-1');
});
