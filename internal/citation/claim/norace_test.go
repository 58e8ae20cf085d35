package claim

const detecting = false
