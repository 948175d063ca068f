// Takes a Markdown page apart into its fenced blocks. Needs Node.js and nothing else.
//
// A comment right before a block says what the block is, where its language does not:
//   <!-- shown only: REASON -->     not run
//   <!-- walk: REASON -->           run by `./dev walk` alone, in a fresh clone
//   <!-- part of: PATH -->          its lines stand in that file of the sources, in this order
//   <!-- same as: PATH -->          it is that file, to the letter
//   <!-- check with: MODEL.toml --> a part of a model: checked together with that model
//   <!-- file: NAME                 a file that the page needs and does not show; its text follows until -->
import { readFileSync } from 'node:fs';

const marker_line = /^<!-- (shown only|walk|part of|same as|check with): (.+?) -->$/;

// Blocks in the order of the page: { language, lines, first (line number of the first line inside), marker: {verb, text} }.
// What a page must not do is added to `problems`.
export function read_blocks(page, problems = []) {
  const lines = readFileSync(page, 'utf8').split('\n');
  const blocks = [];
  let marker = null, in_list = false;
  for (let k = 0; k < lines.length; ++k) {
    const line = lines[k];
    const fence = /^( *)(`{3,})(.*)$/.exec(line);
    if (fence) {
      const [, indent, ticks, language] = fence;
      const end = lines.findIndex((other, at) => at > k && other.trim() === ticks);
      if (end < 0) {
        problems.push(`${page}:${k + 1}: a block that does not end`);
        break;
      }
      blocks.push({ language: language.trim(), lines: lines.slice(k + 1, end).map((text) => text.slice(indent.length)), first: k + 2, marker });
      k = end;
      marker = null;
      continue;
    }
    const hidden = /^<!-- file: (\S+)$/.exec(line);
    if (hidden) {
      const end = lines.findIndex((other, at) => at > k && other === '-->');
      if (end < 0) {
        problems.push(`${page}:${k + 1}: a hidden file that does not end with "-->" on a line of its own`);
        break;
      }
      blocks.push({ language: 'hidden', name: hidden[1], lines: lines.slice(k + 1, end), first: k + 2, marker: null });
      k = end;
      continue;
    }
    const found = marker_line.exec(line.trim());
    if (found) marker = { verb: found[1], text: found[2] };
    else if (line.trim() !== '') {
      if (marker) problems.push(`${page}:${k}: a comment "${marker.verb}" that no block follows`);
      marker = null;
      if (!line.startsWith(' ')) in_list = /^([-*]|\d+\.|\[\d+\]) /.test(line);
      else if (line.startsWith('    ') && lines[k - 1].trim() === '' && !in_list)
        problems.push(`${page}:${k + 1}: an indented block: put it between \`\`\`LANGUAGE and \`\`\`, so that it can be checked`);
    }
  }
  return blocks;
}

// Commands of a ```console or ```sh block: { text, exit, expected (lines or null), line, begin, end (of the output, in lines of the block) }.
// In a console block a command begins with "$ " and is followed by what it prints; in sh every line is a command. A line that ends in a
// backslash goes on in the next one. "# exit 2" after a command says how it ends.
export function read_commands(block) {
  const commands = [];
  const prompt = block.language === 'console' ? '$ ' : '';
  for (let k = 0; k < block.lines.length; ++k) {
    let text = block.lines[k];
    if (text.trim() === '' || text.trim().startsWith('#')) continue;
    if (!text.startsWith(prompt)) throw new Error(`line ${block.first + k}: output before the first command`);
    const line = block.first + k;
    text = text.slice(prompt.length);
    while (text.endsWith('\\') && k + 1 < block.lines.length) text = `${text}\n${block.lines[++k].replace(/^> /, '')}`;
    const begin = k + 1;
    let end = begin;
    if (prompt !== '') while (end < block.lines.length && !block.lines[end].startsWith(prompt)) ++end;
    const expected = block.lines.slice(begin, end);
    while (expected.length > 0 && expected.at(-1).trim() === '') expected.pop();
    commands.push({
      text, line, begin, end: begin + expected.length, expected: expected.length > 0 ? expected : null,
      exit: Number(/# exit (\d+)\s*$/.exec(text)?.[1] ?? 0),
    });
    k = Math.max(k, end - 1);
  }
  return commands;
}
