// The agents of a site: one JSON file each at `_data/agents/<id>.json`, replaced as a whole: configuration, what is spent,
// the last 200 runs. A run that the end of the process interrupted is failed, and what it reserved counts as spent.
import type { DataFolder } from '../data/data-folder.ts';
import { notFound } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { parseStoredJson } from '../lib/stored-json.ts';
import { AgentFile, type AgentRun, isAgentId } from './agent.ts';

export interface AgentFiles {
  /** In the order in which they were made. */
  list(): Promise<AgentFile[]>;
  /** @throws 404 */
  get(id: string): Promise<AgentFile>;
  add(file: AgentFile): Promise<void>;
  /** One change after another, each durable once it resolves. @throws 404 */
  change(id: string, change: (file: AgentFile) => AgentFile): Promise<AgentFile>;
  /** @throws 404 */
  remove(id: string): Promise<void>;
  reload(): void;
}

export interface AgentNews {
  id: string;
  change: 'added' | 'changed' | 'removed';
}

const FOLDER = 'agents';
const EXTENSION = '.json';
const INTERRUPTED = 'the service ended during the run';

export function createAgentFiles(data: DataFolder, logger: Pick<Logger, 'warn'>): AgentFiles {
  let folder = data.folder(FOLDER);
  let opened: Promise<Map<string, AgentFile>> | undefined;
  const inOrder = createInOrder();

  async function load(): Promise<Map<string, AgentFile>> {
    const files: AgentFile[] = [];
    for (const name of await folder.list()) {
      const id = name.slice(0, -EXTENSION.length);
      if (!name.endsWith(EXTENSION) || !isAgentId(id)) continue;
      const file = parseStoredJson(AgentFile, String(await folder.read(name)));
      if (file?.id === id) files.push(withoutRunning(file));
      else logger.warn({ agent: id }, 'an agent is damaged and was skipped; its file is kept');
    }
    files.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
    return new Map(files.map((file) => [file.id, file]));
  }

  function open(): Promise<Map<string, AgentFile>> {
    const opening = (opened ??= load());
    opening.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening;
  }

  async function get(id: string): Promise<AgentFile> {
    const file = (await open()).get(id);
    if (!file) throw notFound(`agent "${id}"`);
    return file;
  }

  async function save(file: AgentFile): Promise<void> {
    await folder.write(file.id + EXTENSION, `${JSON.stringify(file, null, 2)}\n`);
    (await open()).set(file.id, file);
  }

  return {
    list: async () => [...(await open()).values()],
    get,
    add: (file) => inOrder(() => save(file)),
    change: (id, change) =>
      inOrder(async () => {
        const before = await get(id);
        const after = change(before);
        if (after !== before) await save(after);
        return after;
      }),
    remove: (id) =>
      inOrder(async () => {
        await get(id);
        await folder.remove(id + EXTENSION);
        (await open()).delete(id);
      }),
    reload() {
      opened = undefined;
      folder = data.folder(FOLDER);
    },
  };
}

/** The same files; every change is reported once it is durable: of a configuration, a run, or what is spent. */
export function withAgentNews(files: AgentFiles, report: (news: AgentNews) => void): AgentFiles {
  return {
    ...files,
    async add(file) {
      await files.add(file);
      report({ id: file.id, change: 'added' });
    },
    async change(id, change) {
      const after = await files.change(id, change);
      report({ id, change: 'changed' });
      return after;
    },
    async remove(id) {
      await files.remove(id);
      report({ id, change: 'removed' });
    },
  };
}

function withoutRunning(file: AgentFile): AgentFile {
  if (!file.runs.some(({ status }) => status === 'running')) return file;
  const end = (run: AgentRun): AgentRun =>
    run.status === 'running' ? { ...run, status: 'failed', error: INTERRUPTED, code: 'unavailable' } : run;
  return { ...file, runs: file.runs.map(end) };
}
