import { expect, it } from 'vitest'

import type { Evaluation } from '../src/api/types'
import { comparable } from '../src/screens/comparable'

const result = (id: string, name: string, file: string, engine: string, model = '') => ({ id, name, file, engine, model }) as Evaluation

// As the server lists them, the newest first.
const results = [
  result('e7', 'Handbook', 'a.yaml', 'rules'), result('e6', 'Handbook', 'a.yaml', 'model', 'm1'), result('e5', 'Handbook', 'a.yaml', 'model', 'm2'), result('e4', 'Handbook', 'b.yaml', 'rules'),
  result('e3', '手册', 'a.yaml', 'rules'), result('e2', 'Handbook', 'a.yaml', 'rules'), result('e1', 'Handbook', 'a.yaml', 'model', 'm1'),
]
const ids = (chosen: string, of = results) => comparable(of, chosen).map((r) => r.id)

it('a line holds results of the same questions and the same engine as the chosen one', () => {
  expect(ids('e1')).toEqual(['e6', 'e1'])
  expect(ids('e5')).toEqual(['e5'])
  expect(ids('e4')).toEqual(['e4'])
  expect(ids('e3')).toEqual(['e3'])
})

it('and as the newest where none is chosen, or the chosen one is not in the list', () => {
  expect(ids('')).toEqual(['e7', 'e2'])
  expect(ids('gone')).toEqual(['e7', 'e2'])
  expect(ids('', [])).toEqual([])
})
