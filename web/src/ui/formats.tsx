import { Download } from 'lucide-react'

import { useWords } from '../i18n'
import { Button } from './basic'

const formats = [['markdown', '.md', 'Markdown'], ['docx', '.docx', 'Word'], ['pdf', '.pdf', 'PDF']] as const

// Formats are the forms in which a text is handed on, with its citations as footnotes.
export function Formats({ take, small }: { take: (format: string, ending: string) => void; small?: boolean }) {
  const { t } = useWords()
  return <>{formats.map(([format, ending, name]) => <Button key={format} small={small} look={small ? 'ghost' : 'plain'} icon={Download} data-export={format} aria-label={t('export.as', { f: name })} onClick={() => take(format, ending)}>{name}</Button>)}</>
}
