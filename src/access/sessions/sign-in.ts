// Sign-in and the first set-up. The only place that verifies passwords, always behind the throttle.

import type { InfoLogger } from '../../data/info-logger.ts';
import { forbidden, unauthenticated } from '../../lib/errors.ts';
import type { OneTimeCodes } from '../codes/service.ts';
import type { SetupInput } from '../input.ts';
import { emailKey, type User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import type { Devices } from './devices.ts';
import type { Client } from './session.ts';
import type { Throttle } from './throttle.ts';

export interface SignIn {
  /**
   * 401 for wrong credentials (never saying which), 429 after too many of them, 403 for right ones of a suspended user.
   * 401 `one_time_code_required` if the password is right and a code is missing; a wrong code counts as a failure, like
   * a wrong password.
   */
  login(credentials: Credentials & { email: string }, client: Client): Promise<User>;
  /** Creates the first admin; 403 once there is a user. */
  setUp(input: SetupInput): Promise<User>;
  refuseSetUpTwice(): void;
  /** True if the password is the user's; the throttle counts it like a sign-in. */
  confirm(user: User, password: string, client: Client): Promise<boolean>;
  /** The same for password and code; a user without one-time codes needs no code. */
  confirmBoth(user: User, credentials: Credentials, client: Client): Promise<boolean>;
}

interface Credentials {
  password: string;
  code?: string | undefined;
}

export function createSignIn(options: {
  users: Users;
  devices: Devices;
  codes: OneTimeCodes;
  throttle: Throttle;
  logger: InfoLogger;
}): SignIn {
  const { users, devices, codes, throttle, logger } = options;

  function refuseSetUpTwice(): void {
    if (users.hasUsers()) throw forbidden('set-up is complete');
  }

  function attempt(
    user: User | undefined,
    email: string,
    { address, device }: Client,
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const known = user && devices.find(device, user.id);
    return throttle.attempt({ account: emailKey(email), address, device: known }, check);
  }

  /**
   * Takes equally long whether or not the user exists. Throws if a code is missing; that counts as neither a failure
   * nor a success.
   */
  async function verifyBoth(user: User | undefined, { password, code }: Credentials): Promise<boolean> {
    return (await users.verify(user, password)) && (user === undefined || (await codes.check(user, code)));
  }

  return {
    refuseSetUpTwice,
    confirm: (user, password, client) => attempt(user, user.email, client, () => users.verify(user, password)),
    confirmBoth: (user, given, client) => attempt(user, user.email, client, () => verifyBoth(user, given)),

    async login({ email, ...credentials }, client) {
      const ip = client.address;
      const user = users.findByEmail(email);
      const isRight = await attempt(user, email, client, () => verifyBoth(user, credentials));
      // Looked up again: the account may have been removed, or its password changed, during the check.
      const present = user && users.find(user.id);
      if (!isRight || !present || present.passwordHash !== user.passwordHash) {
        logger.info({ ip, userId: user?.id ?? null }, 'a sign-in was refused');
        throw unauthenticated('wrong e-mail or password');
      }
      if (present.suspended) {
        logger.info({ ip, userId: present.id }, 'a sign-in was refused: the account is suspended');
        throw forbidden('the account is suspended');
      }
      logger.info({ ip, userId: present.id }, 'a user signed in');
      return present;
    },

    async setUp(input) {
      refuseSetUpTwice();
      const user = await users.setUp(input);
      logger.info({ userId: user.id }, 'the first admin was created');
      return user;
    },
  };
}
