// The wizard's step, what one wants, and what is wrong with it. A reload keeps the step and what was typed, except the
// token and the keys: they are in this page's memory until the new instance is made, and nowhere else.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../api/answer.ts';
import { ApiError, LostError, untilBack } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useKept } from '../../shell/use-kept.ts';
import { t } from '../../text/translate.ts';
import {
  type BegunProvision,
  PROVISIONS_URL,
  type ProvisionOptions,
  type ProvisionWish,
  readKept,
  toCheck,
  toFieldErrors,
  toFirstWish,
  toRequest,
} from './wish.ts';

type Checked = Answer<'/api/admin/provision/check', 'post'>;

export interface WizardState {
  /** The step, from 0. */
  at: number;
  wish: ProvisionWish;
  token: string;
  /** Keys of AI services for the new instance, by variable: in this page's memory, as the token. */
  aiKeys: Readonly<Record<string, string>>;
  organizations: readonly string[];
  /** By field, in words. */
  errors: Readonly<Record<string, string>>;
  /** What is wrong and stands at no field. */
  problem: string | undefined;
  /** Something to know before the last step. */
  note: string | undefined;
  isBusy: boolean;
  /** How often something was begun. */
  turn: number;
  change(change: Partial<ProvisionWish>): void;
  setToken(token: string): void;
  setAiKeys(keys: Readonly<Record<string, string>>): void;
  hasTokenFor(appName: string | undefined): boolean;
  next(): Promise<void>;
  back(): void;
  begin(): Promise<void>;
  /** Goes on with an earlier wish, from the token on. */
  resume(wish: ProvisionWish): void;
  restart(): void;
}

export function useWizard(options: ProvisionOptions, onBegun: (id: string) => void): WizardState {
  const { request, session } = useAdmin();
  const state = session.state.value;
  const first = toFirstWish(options, state.kind === 'signed-in' ? state.profile.user.email : '');
  const kept = useKept('wizard');
  const [before] = useState(() => readKept(kept.read(), first));
  const [at, setAt] = useState(before.at);
  const [wish, setWish] = useState(before.wish);
  useEffect(() => kept.keep(JSON.stringify({ at, wish })), [at, wish]);
  const [token, setToken] = useState('');
  const [aiKeys, setAiKeys] = useState<Readonly<Record<string, string>>>({});
  const [organizations, setOrganizations] = useState<readonly string[]>([]);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [note, setNote] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [turn, setTurn] = useState(0);
  const isWorking = useRef(false);

  function refuse(found: Readonly<Record<string, string>>, step = at): void {
    setErrors(found);
    setAt(step);
  }

  async function run(work: () => Promise<void>): Promise<void> {
    if (isWorking.current) return;
    isWorking.current = true;
    setBusy(true);
    setErrors({});
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      const found = toFieldErrors(error instanceof ApiError ? error.details : []);
      if (Number.isFinite(found.step)) {
        const inWords = Object.entries(found.errors).map(([path, message]) => [path, toSentence(message)] as const);
        refuse(Object.fromEntries(inWords), found.step);
      } else setProblem(toSentence(error));
    } finally {
      isWorking.current = false;
      setBusy(false);
    }
  }

  /** The token says whose it is, and whether the name is free. */
  function connect({ ok, organizations: found, app }: Checked): void {
    if (!ok || app === 'taken') {
      if (ok) refuse({ appName: t('wizard.taken') }, 1);
      else refuse({ flyToken: t('wizard.tokenRefused') });
      return;
    }
    setNote(app === 'ours' ? t('wizard.ours', { app: wish.appName }) : undefined);
    setOrganizations(found);
    const flyOrg = found.length === 1 ? found[0]! : found.includes(wish.flyOrg) ? wish.flyOrg : '';
    setWish({ ...wish, flyOrg });
    if (found.length > 1 && flyOrg === '') refuse({ flyOrg: t('wizard.organisationMissing') });
    else setAt(3);
  }

  /** Returns the id of what was begun; what had no answer is looked for by its name. */
  async function send(): Promise<string> {
    try {
      const { data } = await request<{ id: string }>('POST', PROVISIONS_URL, { body: toRequest(wish, token, aiKeys) });
      return data.id;
    } catch (error) {
      if (!(error instanceof LostError)) throw error;
      await untilBack();
      const { data } = await request<{ provisions: readonly BegunProvision[] }>('GET', PROVISIONS_URL);
      const newest = data.provisions.find(({ appName }) => appName === wish.appName);
      if (!newest) throw error;
      return newest.id;
    }
  }

  return {
    ...{ at, wish, token, aiKeys, organizations, errors, problem, note, isBusy, turn, setToken, setAiKeys },
    change(change) {
      setWish({ ...wish, ...change });
      const left = Object.entries(errors).filter(([name]) => !Object.hasOwn(change, name));
      setErrors(Object.fromEntries(left));
    },
    hasTokenFor: (appName) => token !== '' && appName === wish.appName,
    next: () =>
      run(async () => {
        if (at === 2 && token.trim() === '') return refuse({ flyToken: t('wizard.tokenMissing') });
        const body = toCheck(at, wish, token, options.needsImage);
        const { data } = await request<Checked>('POST', `${PROVISIONS_URL}/check`, { body });
        if (at === 2) connect(data);
        else setAt(at + 1);
      }),
    back() {
      setErrors({});
      setProblem(undefined);
      setAt(Math.max(0, at - 1));
    },
    begin: () =>
      run(async () => {
        const id = await send();
        setTurn(turn + 1);
        kept.keep('');
        onBegun(id);
      }),
    resume(earlier) {
      setWish(earlier);
      setErrors({});
      setProblem(undefined);
      setAt(2);
    },
    restart() {
      setWish(first);
      setToken('');
      setAiKeys({});
      setOrganizations([]);
      setNote(undefined);
      setErrors({});
      setProblem(undefined);
      setAt(0);
    },
  };
}
