// A change of a user. If its answer is lost on the way, the team is read to see whether it was made.
import { type Client, OfflineError, untilBack } from '../../api/client.ts';
import { t } from '../../text/translate.ts';
import { changesOf, type TeamUser, USERS_URL, type UserFields, urlOf } from './team-user.ts';

export type UserPatch = Partial<UserFields & { suspended: boolean }>;

/** @throws ApiError, OfflineError if it cannot be seen either, and Error if the change was lost with its answer */
export async function patchUser(request: Client, user: TeamUser, patch: UserPatch): Promise<void> {
  try {
    await request('PATCH', urlOf(user), { body: patch });
  } catch (error) {
    if (!(error instanceof OfflineError)) throw error;
    await untilBack();
    const { data } = await request<{ users: TeamUser[] }>('GET', USERS_URL);
    const now = data.users.find(({ id }) => id === user.id);
    const asked = { ...now, ...patch } as TeamUser;
    const isMade = now && now.suspended === asked.suspended && Object.keys(changesOf(now, asked)).length === 0;
    if (!isMade) throw new Error(t('team.notMade'));
  }
}
