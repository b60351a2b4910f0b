// Creations under an Idempotency-Key, asked for again across kills and pushes: the same answer, byte for byte.
import type { Write } from '../history.ts';
import type { FaultKind } from './fault.ts';

type Creation = Write & { kind: 'create' };

const REPEATS = 4;
const MOST_REMEMBERED = 50;

export const repeatedKeys: FaultKind = {
  create({ sender, random, report }) {
    let first = new Map<Creation, { id: string; status: number | undefined; text: string | undefined }>();
    let count = 0;

    /** Repeats until there is a final answer: not a kill, a restart, or a first request that is still running. */
    async function ask(
      action: Creation,
      hangsUp: boolean,
    ): Promise<{ id: string; text: string | undefined; status?: number }> {
      for (;;) {
        const hangUp = hangsUp && random.next() < 0.3 ? { hangUpAfterMs: random.whole(0, 30) } : {};
        const { operation, text } = await sender.send(action, hangUp);
        const { id, outcome } = operation;
        if (outcome.kind === 'ok') return { id, text };
        if (outcome.kind === 'refused' && ![409, 503].includes(outcome.status))
          return { id, text, status: outcome.status };
      }
    }

    async function make(): Promise<void> {
      const key = `repeated-${++count}`;
      const data = { title: `Keyed ${count % 7}`, body: 'once '.repeat(random.whole(1, 40)) };
      const action: Creation = { kind: 'create', collection: 'keyed', data, key };
      const { id, text, status } = await ask(action, true);
      first.set(action, { id, status, text });
      if (first.size > MOST_REMEMBERED) first.delete(first.keys().next().value!);
    }

    async function repeat(action: Creation): Promise<void> {
      const answered = first.get(action)!;
      const { id, text, status } = await ask(action, false);
      if (status === answered.status && text === answered.text) return;
      const what = `key ${action.key} was answered ${status ?? 'well'} (${text}) and before that ${answered.status ?? 'well'}`;
      report('repeated-key', `${what} (${answered.text})`, id, answered.id);
    }

    return {
      async strike() {
        await make();
        const actions = [...first.keys()];
        for (let n = 0; n < REPEATS; n++) await repeat(actions[random.whole(0, actions.length - 1)]!);
      },
      async settle() {
        for (const action of first.keys()) await repeat(action);
        // The checker knows the keys of one epoch only.
        first = new Map();
      },
    };
  },
};
