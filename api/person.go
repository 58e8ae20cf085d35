package api

// User is a person or service account of the tenant. Groups, through nesting too, are left
// out of lists.
type User struct {
	ID          string    `json:"id"`
	DisplayName string    `json:"display_name"`
	Roles       []string  `json:"roles"`
	Groups      *[]string `json:"groups,omitempty"`
	Suspended   bool      `json:"suspended"`
	Service     bool      `json:"service"`
}

// NewUser asks for a user. Without roles it is a member; a name that is not given is the id. A
// service account has no password and decides nothing: see NewToken.
type NewUser struct {
	ID          string   `json:"id"`
	DisplayName string   `json:"display_name,omitempty"`
	Roles       []string `json:"roles,omitempty"`
	Service     bool     `json:"service,omitempty"`
}

// UserChange edits a user; what is absent stays.
type UserChange struct {
	DisplayName *string   `json:"display_name,omitempty"`
	Roles       *[]string `json:"roles,omitempty"`
	Suspended   *bool     `json:"suspended,omitempty"`
}

// Group is a group with its direct members: "user:ID" and "group:ID".
type Group struct {
	ID      string   `json:"id"`
	Members []string `json:"members"`
}

// NewGroup asks for a group.
type NewGroup struct {
	ID      string   `json:"id"`
	Members []string `json:"members,omitempty"`
}

// Members are all direct members of a group.
type Members struct {
	Members []string `json:"members"`
}

// NewMember adds one direct member to a group.
type NewMember struct {
	Principal string `json:"principal"`
}

// NewPassword is the password that an administrator sets for somebody.
type NewPassword struct {
	Password string `json:"password"`
}
