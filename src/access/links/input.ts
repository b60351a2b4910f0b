// Input of the operations with mailed links.
import { z } from 'zod';
import { Email, Name, NewUserBody, Password } from '../input.ts';

/** Far longer than our tokens, whose form is checked later. */
const Token = z.string().max(200);

export const ResetRequestBody = z.object({ email: Email });
export const ResetBody = z.object({ token: Token, password: Password, name: Name.optional() });
/** One route does both: requesting a link, and using it. */
export const ResetOrRequestBody = z.union([ResetBody, ResetRequestBody]);

export const ConfirmEmailBody = z.object({ token: Token });

export const InviteBody = NewUserBody.omit({ password: true }).extend({ name: Name.optional() });

export type ResetInput = z.output<typeof ResetBody>;
export type InviteInput = z.output<typeof InviteBody>;
