// The guided interview: the model asks, a person answers, and at the end the service saves a version.
import { useEffect, useRef, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import type { Kept } from '../../shell/use-kept.ts';
import { t } from '../../text/translate.ts';
import { type InterviewMessage, readInterview } from './kept-interview.ts';
import type { VoiceVersion } from './voice-record.ts';

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
  const { postForEvents } = useAdmin();
  const [messages, setMessages] = useState<readonly InterviewMessage[]>(() => readInterview(kept));
  const [coming, setComing] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [saved, setSaved] = useState<VoiceVersion>();
  const running = useRef<AbortController>(undefined);

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
    try {
      const url = '/api/cms/brand-voice/chat';
      for await (const { event, data } of postForEvents(url, { messages: said }, controller.signal)) {
        const news = data as { text?: string; version?: VoiceVersion; message?: string };
        if (event === 'text') setComing((text += news.text ?? ''));
        else if (event === 'saved') version = news.version;
        else if (event === 'error') throw new Error(news.message);
      }
      if (version) {
        kept.keep('');
        setSaved(version);
        onSaved();
      } else if (text.trim() === '') setProblem(t('voice.noQuestion'));
      else keep([...said, { role: 'assistant', content: text }]);
    } catch (error) {
      setProblem(controller.signal.aborted ? t('voice.stopped') : toSentence(error));
    } finally {
      if (running.current === controller) {
        running.current = undefined;
        setBusy(false);
        setComing('');
      }
    }
  }

  useEffect(() => {
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
