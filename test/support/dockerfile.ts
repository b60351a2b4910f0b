// The instructions of a Dockerfile by stage, and which files of the repository its build sees. Knows what ours uses, and
// refuses the rest.

export interface Stage {
  name: string;
  base: string;
  steps: { instruction: string; value: string }[];
}

const INSTRUCTIONS = new Set([
  ...['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
]);

export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  const lines = text.replace(/^\s*#.*\n/gm, '').replace(/\\\n\s*/g, '');
  for (const line of lines.split('\n').filter((one) => one.trim() !== '')) {
    const [, instruction = '', value = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (!INSTRUCTIONS.has(instruction)) throw new Error(`not an instruction: ${line}`);
    if (instruction === 'FROM') {
      const [, base = '', name = ''] = /^(\S+)(?: AS (\S+))?$/.exec(value) ?? [];
      stages.push({ name, base, steps: [] });
    } else stages.at(-1)!.steps.push({ instruction, value });
  }
  return stages;
}

/** The last pattern that matches decides, as in Docker; a pattern that names a folder holds for what is in it. */
export function isSent(file: string, dockerignore: string): boolean {
  let sent = true;
  for (const line of dockerignore.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const isException = line.startsWith('!');
    const source = line
      .replace(/^!/, '')
      .split('/')
      .map((part) => (part === '**' ? '(?:.*)' : part.replace(/[.]/g, '\\.').replace(/\*/g, '[^/]*')))
      .join('/')
      .replace('(?:.*)/', '(?:.*/)?');
    if (new RegExp(`^${source}(?:/.*)?$`).test(file)) sent = isException;
  }
  return sent;
}
