// The body of an answer that reports nothing but success.
import { z } from 'zod';

export const SuccessSchema = z.object({ success: z.boolean() }).meta({ id: 'Success' });
