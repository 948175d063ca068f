#!/usr/bin/env node
// Every relative link of the Markdown pages leads to a file, and every anchor to a heading.
//   node tools/pages/links.mjs PAGE...
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { slug } from './slug.mjs';

const problems = [];
const anchors_of = new Map();

function without_code(text) {
  return text.replace(/^( *)(`{3,})[^]*?^\1\2$/gm, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()<>]/g, ' '));
}

function anchors(page) {
  if (!anchors_of.has(page)) {
    const found = new Set();
    const text = readFileSync(page, 'utf8');
    for (const line of text.replace(/^( *)(`{3,})[^]*?^\1\2$/gm, '').split('\n')) {
      const heading = /^#{1,6} (.+)$/.exec(line);
      if (heading) found.add(slug(heading[1], found));
      for (const mark of line.matchAll(/<a id="([^"]+)"/g)) found.add(mark[1]);
    }
    anchors_of.set(page, found);
  }
  return anchors_of.get(page);
}

for (const page of process.argv.slice(2)) {
  without_code(readFileSync(page, 'utf8')).split('\n').forEach((line, k) => {
    for (const [, target] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : resolve(dirname(page), path);
      if (!existsSync(file)) problems.push(`${page}:${k + 1}: ${target} leads nowhere`);
      else if (anchor && file.endsWith('.md') && statSync(file).isFile() && !anchors(file).has(anchor)) problems.push(`${page}:${k + 1}: ${path} has no heading #${anchor}`);
    }
  });
}
for (const problem of problems) console.error(problem);
console.log(`${process.argv.length - 2} pages, ${problems.length} broken links`);
process.exit(problems.length === 0 ? 0 : 1);
