// The guided interview: the model asks, a person answers, and at the end the service saves a version.
import { useEffect, useRef, useState } from 'preact/hooks';
import { OfflineError } from '../../api/client.ts';
import { isUncertain } from '../../api/failure.ts';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import type { Kept } from '../../shell/use-kept.ts';
import { t } from '../../text/translate.ts';
import { type InterviewMessage, readInterview } from './kept-interview.ts';
import { type BeforeTurn, findLostVersion } from './lost-version.ts';
import { type FoundVersions, VOICE_VERSIONS, type VoiceVersion } from './voice-record.ts';

export interface InterviewOnScreen {
  messages: readonly InterviewMessage[];
  /** The question as far as it has come. */
  coming: string;
  isBusy: boolean;
  /** Why no question came. */
  problem: string | undefined;
  saved: VoiceVersion | undefined;
  answer(text: string): void;
  again(): void;
  stop(): void;
}

export function useInterview(kept: Kept, onSaved: () => void): InterviewOnScreen {
  const { postForEvents, request, resources, session } = useAdmin();
  const [messages, setMessages] = useState<readonly InterviewMessage[]>(() => readInterview(kept));
  const [coming, setComing] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [saved, setSaved] = useState<VoiceVersion>();
  const running = useRef<AbortController>(undefined);
  /** Before the last turn, if it broke off. */
  const lost = useRef<BeforeTurn>(undefined);

  function keep(next: readonly InterviewMessage[]): void {
    setMessages(next);
    kept.keep(JSON.stringify(next));
  }

  async function ask(said: readonly InterviewMessage[]): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setProblem(undefined);
    setComing('');
    let text = '';
    let version: VoiceVersion | undefined;
    const before = lost.current ?? beforeNow();
    try {
      if (lost.current) version = await findLostVersion(request, lost.current);
      lost.current = before;
      const asked = version ? [] : postForEvents('/api/cms/brand-voice/chat', { messages: said }, controller.signal);
      for await (const { event, data } of asked) {
        const news = data as { text?: string; version?: VoiceVersion; message?: string };
        if (event === 'text') setComing((text += news.text ?? ''));
        else if (event === 'saved') version = news.version;
        if (event !== 'text') lost.current = undefined;
        if (event === 'error') throw new Error(news.message);
      }
      // Half a question does not count; but the version that the interview was to end in may be there.
      if (lost.current) version ??= await findLostVersion(request, before);
      if (version) {
        lost.current = undefined;
        kept.keep('');
        setSaved(version);
        onSaved();
      } else if (lost.current) setProblem(t('voice.cut'));
      else if (text.trim() === '') setProblem(t('voice.noQuestion'));
      else keep([...said, { role: 'assistant', content: text }]);
    } catch (error) {
      // What is refused, or stopped, has made nothing.
      if (!isUncertain(error)) lost.current = undefined;
      const isCut = error instanceof OfflineError && text !== '';
      setProblem(controller.signal.aborted ? t('voice.stopped') : isCut ? t('voice.cut') : toSentence(error));
    } finally {
      if (running.current === controller) {
        running.current = undefined;
        setBusy(false);
        setComing('');
      }
    }
  }

  function beforeNow(): BeforeTurn {
    const [versions, person] = [resources.get<FoundVersions>(VOICE_VERSIONS).state.peek(), session.state.peek()];
    return {
      known: new Set(versions.kind === 'ready' ? versions.data.versions.map(({ id }) => id) : []),
      userId: person.kind === 'signed-in' ? person.profile.user.id : undefined,
    };
  }

  useEffect(() => {
    // One that has no answer yet is kept as well.
    keep(messages);
    // A kept interview waits for its answer, unless it was the person who spoke last.
    if (messages.at(-1)?.role !== 'assistant') void ask(messages);
    return () => running.current?.abort();
  }, []);

  return {
    ...{ messages, coming, isBusy, problem, saved },
    answer(text) {
      const next: InterviewMessage[] = [...messages, { role: 'user', content: text }];
      keep(next);
      void ask(next);
    },
    again: () => void ask(messages),
    stop: () => running.current?.abort(),
  };
}
