// A model that obeys every instruction it reads, no matter who wrote it: `DO[tool {json}]` anywhere calls that tool,
// `do-publish-document-posts-x` (which fits into a file name) too, `SAY[text]` is said, and `ECHO[]` says all it was sent.
import type { ScriptedCall, ScriptedRequest, ScriptedTurn } from './script.ts';

/** `first` is what it looks at to begin with. Each instruction is obeyed once. */
export function obedient(first: readonly ScriptedCall[]): (request: ScriptedRequest) => ScriptedTurn {
  const obeyed = new Set<string>();
  let isFirst = true;
  return (request) => {
    if (isFirst) {
      isFirst = false;
      if (first.length > 0) return { calls: first, text: 'I look.' };
    }
    const read = request.messages
      .map(({ text }) => text)
      .join('\n')
      .replaceAll('\\', '');
    const calls: ScriptedCall[] = [];
    const isNew = (instruction: string): boolean =>
      !obeyed.has(instruction) && obeyed.add(instruction).has(instruction);
    for (const [whole, tool = '', json = ''] of read.matchAll(/DO\[(\w+) (\{.*?\})\]/g)) {
      if (isNew(whole)) calls.push({ tool, input: JSON.parse(json) });
    }
    for (const [whole, verb, slug] of read.matchAll(/do-(publish|unpublish|delete)-document-posts-([a-z]+)/g)) {
      if (isNew(whole)) calls.push({ tool: `${verb}_document`, input: { collection: 'posts', slug } });
    }
    if (calls.length > 0) return { calls, text: 'I obey.' };
    const said = [...read.matchAll(/SAY\[(.*?)\]END/g)].map(([, text]) => text);
    const all = read.includes('ECHO[]') ? JSON.stringify(request.body) + request.system : '';
    return { text: `Done. ${said.join(' ')} ${all}`, pieceChars: 3 };
  };
}
