// Signing in and the first set-up. The only place that verifies a password, behind the throttle.

import type { Log } from '../data/log.ts';
import { forbidden } from '../lib/errors.ts';
import type { Devices } from './devices.ts';
import type { SetupInput } from './input.ts';
import { unauthenticated } from './refusals.ts';
import type { Client } from './session.ts';
import type { Throttle } from './throttle.ts';
import { emailKey, type User } from './user.ts';
import type { Users } from './users.ts';

export interface SignIn {
  /** 401 for wrong credentials (never saying which), 429 after too many of them. */
  login(credentials: { email: string; password: string }, client: Client): Promise<User>;
  /** Makes the first admin; 403 once there is a user. */
  setUp(input: SetupInput): Promise<User>;
  refuseSetUpTwice(): void;
  /** True if the password is the user's; counted like a sign-in. */
  confirm(user: User, password: string, client: Client): Promise<boolean>;
}

export function createSignIn(options: { users: Users; devices: Devices; throttle: Throttle; log: Log }): SignIn {
  const { users, devices, throttle, log } = options;

  function refuseSetUpTwice(): void {
    if (users.hasUsers()) throw forbidden('set-up is complete');
  }

  /** No user takes as long as a wrong password. */
  function verify(
    user: User | undefined,
    email: string,
    password: string,
    { address, device }: Client,
  ): Promise<boolean> {
    return throttle.attempt({ account: emailKey(email), address, device: user && devices.find(device, user.id) }, () =>
      users.verify(user, password),
    );
  }

  return {
    refuseSetUpTwice,
    confirm: (user, password, client) => verify(user, user.email, password, client),

    async login({ email, password }, client) {
      const ip = client.address;
      const user = users.findByEmail(email);
      const isRight = await verify(user, email, password, client);
      // Looked up again: the account may have gone, or its password changed, while this one was verified.
      const present = user && users.find(user.id);
      if (!isRight || !present || present.passwordHash !== user.passwordHash) {
        log.info({ ip, userId: user?.id ?? null }, 'a sign-in was refused');
        throw unauthenticated('wrong e-mail or password');
      }
      log.info({ ip, userId: present.id }, 'a user signed in');
      return present;
    },

    async setUp(input) {
      refuseSetUpTwice();
      const user = await users.setUp(input);
      log.info({ userId: user.id }, 'the first admin was made');
      return user;
    },
  };
}
