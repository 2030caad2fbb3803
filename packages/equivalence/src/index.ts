/** Whether two programs compute the same. */
export {};
