// What the operations with the OpenID provider take.
import { z } from 'zod';

export const LeaveQuery = z.object({
  next: z.string().optional().meta({ description: 'the path to be at afterwards; `/admin` or below' }),
});
