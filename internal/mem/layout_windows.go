//go:build !race

package mem

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// reservedApart is false: large pages are made of the available memory.
const reservedApart = false

// layoutOf returns large pages for the whole region, rounded up to whole pages, if the account may lock
// pages in memory; else small pages.
func layoutOf(bytes uint64, want Pages) layout {
	l := layout{rest: SmallPages}
	switch want {
	case SmallPages:
		return l
	case TransparentPages:
		l.addNote("Windows has no transparent huge pages")
		return l
	case Pages1GiB:
		l.addNote("pages of 1 GiB are not used on Windows")
	}
	if bytes < bytes2MiB {
		return l
	}
	if err := allowLargePages(); err == nil {
		l.pages2MiB = (bytes + bytes2MiB - 1) / bytes2MiB
	} else if want != AutoPages {
		l.addNote("no large pages: %v", err)
	}
	return l
}

// allowLargePages enables the privilege that large pages need.
func allowLargePages() error {
	if size := windows.GetLargePageMinimum(); size != bytes2MiB {
		return fmt.Errorf("their size is %d bytes", size)
	}
	var token windows.Token
	if err := windows.OpenProcessToken(windows.CurrentProcess(), windows.TOKEN_ADJUST_PRIVILEGES|windows.TOKEN_QUERY,
		&token); err != nil {
		return err
	}
	defer token.Close()
	privileges := windows.Tokenprivileges{PrivilegeCount: 1}
	privileges.Privileges[0].Attributes = windows.SE_PRIVILEGE_ENABLED
	if err := windows.LookupPrivilegeValue(nil, windows.StringToUTF16Ptr("SeLockMemoryPrivilege"),
		&privileges.Privileges[0].Luid); err != nil {
		return err
	}
	// windows.AdjustTokenPrivileges drops the error of a call that succeeds and changes nothing.
	adjust := windows.NewLazySystemDLL("advapi32.dll").NewProc("AdjustTokenPrivileges")
	done, _, err := adjust.Call(uintptr(token), 0, uintptr(unsafe.Pointer(&privileges)), 0, 0, 0)
	if errors.Is(err, windows.ERROR_NOT_ALL_ASSIGNED) {
		return errors.New("this account may not lock pages in memory")
	}
	if done == 0 {
		return err
	}
	return nil
}
