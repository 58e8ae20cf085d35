import { expect, it } from 'vitest'

import { apple } from '../src/ui/shortcuts'

it('keys are named as on the machine', () => {
  for (const p of ['MacIntel', 'MacPPC', 'iPhone', 'iPad']) expect(apple(p), p).toBe(true)
  for (const p of ['Win32', 'Linux x86_64', 'Linux armv8l', '']) expect(apple(p), p).toBe(false)
})
