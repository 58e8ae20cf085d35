import type { Lang } from '../i18n'

const en = {
  broke: 'could not be judged', timeout: 'timed out', changes_documents: 'would change documents, not run', no_such_user: 'no such person', unknown_target: 'the folder has no such document',
  cannot_fail: 'the case cannot fail', search_failed: 'the search failed', hits: 'something was found', not_found: 'not found', rank: 'too far down', recall: 'not all of it was found',
  no_such_document: 'no such document', other_tenant: 'of another tenant', not_in_force: 'not the version in force', mislabelled: 'the version is named wrongly', wrong_version: 'the wrong version',
  code_not_found: 'the code was not found', forbidden_document: 'a document that must not appear', forbidden_text: 'words that must not appear', cites: 'cites although it must not',
  outcome: 'another outcome', state: 'another state', finish_reason: 'another reason of the end', lacks: 'something is missing', says: 'something that must not be said', no_citation: 'no citation',
  not_cited: 'the document is not cited', place_not_cited: 'the place is not cited', old_version: 'an old version is used', conclusion_not_cited: 'a conclusion without citation',
  not_checked: 'not checked', contradicted: 'contradicted', not_supported: 'not supported enough', check_not_reproduced: 'the check came out differently', no_run: 'no such run',
  no_evidence: 'no such evidence', no_events: 'no events', event_gap: 'events are missing', events_differ: 'events and run differ', excerpt_hash: 'the excerpt has another hash',
  no_original: 'the original cannot be read', checksum: 'the original has another checksum', place: 'the original says something else there', ledger_differs: 'ledger and run differ', ledger_broken: 'the ledger is broken',
  call_not_made: 'the call was not made', code: 'the call came out differently', identity: 'identity fields were treated differently', decided_by_other: 'somebody else could decide', not_published: 'not published',
  not_waiting: 'did not wait for a person', changed: 'changed before the decision', update_untested: 'the update was not tested', source_closed: 'an old source does not open',
  source_changed: 'an old source changed', source_not_superseded: 'an old source does not say that it was superseded',
} satisfies Record<string, string>

const zh: Record<keyof typeof en, string> = {
  broke: '无法评判', timeout: '超时', changes_documents: '会改动文档，未运行', no_such_user: '没有此用户', unknown_target: '库中没有此文档',
  cannot_fail: '此用例不可能失败', search_failed: '检索失败', hits: '不该有结果', not_found: '没有找到', rank: '排位靠后', recall: '找到的不全',
  no_such_document: '没有此文档', other_tenant: '属于其他租户', not_in_force: '不是现行版本', mislabelled: '版本标注有误', wrong_version: '版本不对',
  code_not_found: '没有找到编号', forbidden_document: '出现不该出现的文档', forbidden_text: '出现不该出现的文字', cites: '不该有引用',
  outcome: '结局不符', state: '状态不符', finish_reason: '结束原因不符', lacks: '缺少应有的内容', says: '出现不该有的内容', no_citation: '没有引用',
  not_cited: '没有引用应引的文档', place_not_cited: '没有引用应引的位置', old_version: '用了旧版本', conclusion_not_cited: '结论没有引用',
  not_checked: '没有核对', contradicted: '与引文矛盾', not_supported: '引文支持不足', check_not_reproduced: '核对结果不能重现', no_run: '没有此运行',
  no_evidence: '没有此证据', no_events: '没有事件', event_gap: '事件不完整', events_differ: '事件与运行不符', excerpt_hash: '摘录的哈希不符',
  no_original: '读不到原件', checksum: '原件校验和不符', place: '原件该处不是此文', ledger_differs: '账本与运行不符', ledger_broken: '账本断裂',
  call_not_made: '没有发出调用', code: '调用结果不符', identity: '身份字段处理不符', decided_by_other: '他人可以决定', not_published: '没有发布',
  not_waiting: '没有等待确认', changed: '确认之前已有改动', update_untested: '更新没有检验到', source_closed: '旧来源打不开',
  source_changed: '旧来源变了', source_not_superseded: '旧来源没有提示新版本',
}

export const findings: Record<Lang, Record<string, string>> = { en, zh }
