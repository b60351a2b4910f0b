// The settings as the service has them, and changes that are sent to it: each with the version that it was made from.
import { useEffect, useState } from 'preact/hooks';
import { isMoved } from '../../api/client.ts';
import type { ResourceState } from '../../api/resources.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useLive } from '../../shell/use-live.ts';
import { t } from '../../text/translate.ts';
import { SETTINGS_URL, type SettingValues } from './settings-shape.ts';

/** A change that clashes with nothing is sent again so often while others change other settings. */
export const MOST_TRIES = 4;

export interface GeneratedSecrets {
  /** By dotted path. */
  [path: string]: string;
}

export type SavedSettings = SettingValues & { generated?: GeneratedSecrets };

export interface LoadedSettings {
  settings: SettingValues;
  etag: string | undefined;
}

export interface StoredSettings {
  loaded: LoadedSettings | undefined;
  state: ResourceState<SettingValues>;
  read(): Promise<LoadedSettings>;
  /** Resolves in any case. */
  reload(): Promise<void>;
  post(patch: Record<string, unknown>, etag: string | undefined): Promise<SavedSettings>;
  /** Sends a change that is made of what is stored now; repeated if that has moved. */
  change(toPatchOf: (settings: SettingValues) => Record<string, unknown>): Promise<SavedSettings>;
}

export function useStoredSettings(): StoredSettings {
  const { request } = useAdmin();
  const [loaded, setLoaded] = useState<LoadedSettings>();
  const [error, setError] = useState<unknown>();

  async function read(): Promise<LoadedSettings> {
    const { data, etag } = await request<SettingValues>('GET', SETTINGS_URL);
    const fresh = { settings: data, etag };
    setLoaded(fresh);
    return fresh;
  }

  async function reload(): Promise<void> {
    setError(undefined);
    try {
      await read();
    } catch (failure) {
      setError(failure);
    }
  }

  // Another tab, or another person, may have changed them.
  const look = (): void => void (document.visibilityState === 'visible' && read().catch(setError));
  useLive(['hello'], look);
  useEffect(() => {
    void reload();
    document.addEventListener('visibilitychange', look);
    addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('focus', look);
    };
  }, []);

  async function post(patch: Record<string, unknown>, etag: string | undefined): Promise<SavedSettings> {
    const headers: Record<string, string> = etag ? { 'If-Match': etag } : {};
    const { data, etag: next } = await request<SavedSettings>('POST', SETTINGS_URL, { body: patch, headers });
    const { generated: made, warnings: _, ...settings } = data;
    setLoaded({ settings: settings as SettingValues, etag: next });
    return data;
  }

  async function change(toPatchOf: (settings: SettingValues) => Record<string, unknown>): Promise<SavedSettings> {
    let { settings, etag } = loaded ?? (await read());
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      try {
        return await post(toPatchOf(settings), etag);
      } catch (failure) {
        if (!isMoved(failure)) throw failure;
        ({ settings, etag } = await read());
      }
    }
    throw new Error(t('settings.busy'));
  }

  const state: ResourceState<SettingValues> = loaded
    ? { kind: 'ready', data: loaded.settings, isStale: error !== undefined }
    : error === undefined
      ? { kind: 'loading' }
      : { kind: 'failed', error };
  return { loaded, state, read, reload, post, change };
}
