/** Reach counts principals of one forest or tenant; without this sentence, a count of all of them would look like a count of everyone. */
export const REACH_SCOPE =
  'Only those of its forest or tenant are counted: users and computers of other forests and platforms may reach it, too.';
