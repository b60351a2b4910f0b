// What is done to many submissions at a time: which are selected, how far it has come, and the way back.
import { useEffect, useRef, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { FORMS_URL, type InboxStatus, type InboxTab } from './form-entry.ts';
import { collectAll, type Marked, type MarkRun, markBack, markMany } from './mark-many.ts';
import type { InboxRows } from './use-inbox-rows.ts';

export interface ManyJob {
  label: string;
  done: number;
  total: number;
  stop(): void;
}

export interface Many {
  selected: ReadonlyMap<string, Marked>;
  job: ManyJob | undefined;
  toggle(index: number, isRange: boolean): Promise<void>;
  selectAll(): Promise<void>;
  clear(): void;
  run(status: InboxStatus | 'deleted', label: string): Promise<void>;
}

const NONE: ReadonlyMap<string, Marked> = new Map();

export function useMany(form: string, tab: InboxTab, rows: InboxRows): Many {
  const { request, resources, messages } = useAdmin();
  const [selected, setSelected] = useState(NONE);
  const [job, setJob] = useState<ManyJob>();
  const anchor = useRef(0);
  const stopping = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);
  useEffect(() => setSelected(NONE), [tab]);

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      messages.fail(toSentence(error));
    }
  }

  function follow(label: string, total: number, work: (run: MarkRun) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    stopping.current = controller;
    const show = (done: number): void => setJob({ label, done, total, stop: () => controller.abort() });
    show(0);
    return attempt(() => work({ request, form, signal: controller.signal, onProgress: show })).finally(() => {
      setJob(undefined);
      rows.pages.refresh();
      resources.refresh(FORMS_URL);
    });
  }

  const undo = (before: readonly Marked[]): void =>
    void follow(t('app.undo'), before.length, async (run) => {
      await markBack(before, run);
      messages.notify(t('inbox.many.undone', { count: before.length }));
    });

  return {
    ...{ selected, job },
    toggle: (index, isRange) =>
      attempt(async () => {
        const [first, last] = isRange ? [anchor.current, index].sort((a, b) => a - b) : [index, index];
        anchor.current = index;
        const found: Marked[] = [];
        for (let at = first!; at <= last!; at++) {
          const row = await rows.find(at);
          if (row) found.push({ id: row.id, status: row.status });
        }
        setSelected((before) => {
          const next = new Map(before);
          const isOn = isRange || !before.has(found[0]?.id ?? '');
          for (const one of found) {
            if (isOn) next.set(one.id, one);
            else next.delete(one.id);
          }
          return next;
        });
      }),
    selectAll: () =>
      attempt(async () => {
        const all = await collectAll({ request, form }, tab === 'all' ? undefined : tab);
        setSelected(new Map(all.map((one) => [one.id, one])));
      }),
    clear: () => setSelected(NONE),
    run(status, label) {
      const targets = [...selected.values()].filter((one) => one.status !== status);
      return follow(label, targets.length, async (run) => {
        const changed: Marked[] = [];
        const say = (): void => {
          const text = t(`inbox.many.${status}`, { count: changed.length });
          messages.notify(text, status === 'deleted' || changed.length === 0 ? undefined : () => undo(changed));
        };
        try {
          await markMany(targets, status, run, (done) => changed.push(...done));
          setSelected(NONE);
          say();
        } catch (error) {
          // What was done before has its way back too, and what was refused can be tried again.
          const done = new Set(changed.map(({ id }) => id));
          setSelected((before) => new Map([...before].filter(([id]) => !done.has(id))));
          if (changed.length > 0) say();
          throw error;
        }
      });
    },
  };
}
