package conflict

const detecting = false
