// The pages that the program itself writes: keys of the model file, help of the commands, contact laws.
import { execFileSync } from 'node:child_process';

const ask = (program, ...words) => execFileSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 26 });
const fenced = (text) => `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
const cell = (text) => String(text).replace(/\|/g, '\\|');

export function schema_page(program) {
  return { source: '', url: 'reference/model_file.html', title: 'All keys of the model file', text: ask(program, 'schema', '--reference') };
}

export function reduction_page(program) {
  const units = { '*': 'of the quantity', '*s': 'of the quantity, times s', 1: '' };
  const rows = JSON.parse(ask(program, 'study', '--reductions', '--json')).map(
    (each) => `| \`${each.name}\` | ${cell(each.meaning)} | ${each.list ? 'list' : 'number'} | ${units[each.unit] ?? each.unit} |`,
  );
  const text = `# All reductions of studies\n\nFrom \`carom study --reductions\`: what \`reduce\` makes of the samples of a run. [Studies](guide/studies.md) says how they are asked for.\n\n| reduce | gives | | unit |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  return { source: '', url: 'reference/reductions.html', title: 'All reductions of studies', text };
}

export function command_page(program) {
  const help = ask(program, '--help');
  const names = [...help.slice(help.indexOf('Subcommands:')).matchAll(/^ {2}([a-z-]+) {2,}/gm)].map((found) => found[1]).filter((name) => name !== 'help');
  const [common] = /^A model file is described[^]*$/m.exec(help) ?? [''];
  let text = `# Help of all commands\n\nWhat \`carom COMMAND --help\` prints. [The command line](../docs/guide/command_line.md) says what the commands are for.\n\n${fenced(help)}\n`;
  for (const name of names) {
    const [summary, ...rest] = ask(program, name, '--help').replace(common, '').trim().split('\n');
    text += `## \`carom ${name}\`\n\n${summary}.\n\n${fenced(rest.join('\n').trim())}\n`;
  }
  return { source: '', url: 'reference/commands.html', title: 'Help of all commands', text: text.replace('../docs/', '') };
}

function parameters(law) {
  if (law.parameters.length === 0) return '';
  const rows = law.parameters.map((p) => `| \`${p.name}\` | ${p.unit ?? ''} | ${p.required ? '*required*' : cell(p.default ?? '')} | ${cell(p.meaning)} |`);
  return `| key | unit | default | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n\n`;
}

export function law_page(program) {
  const laws = JSON.parse(ask(program, 'laws', '--json'));
  let text = '# All contact and friction laws\n\nFrom `carom laws --json`. [The theory](theory/contact_laws.md) compares them; `carom laws --compare` draws them.\n\n';
  for (const [kind, title] of [['normal', 'Normal force'], ['elastic', 'Elastic part'], ['friction', 'Friction']]) {
    text += `## ${title}\n\n`;
    for (const law of laws[kind]) {
      text += `### \`${law.name}\`\n\n${law.summary}\n\n${law.formula ? `${law.formula.replace(/([*_[\]])/g, '\\$1')}\n\n` : ''}`;
      if (law.uses_restitution) text += `Restitution ${law.least_restitution} ${law.least_allowed ? '≤' : '<'} e ≤ 1; usable from ${law.usable[0]} to ${law.usable[1]}. Elastic part \`${law.elastic}\` unless the model says otherwise.\n\n`;
      text += parameters(law);
      if (law.reference) text += `*${law.reference}*\n\n`;
    }
  }
  return { source: '', url: 'reference/laws.html', title: 'All contact and friction laws', text };
}
