package gpu

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Numbers of the kernel's interface. Source: include/uapi/drm/xe_drm.h and i915_drm.h.
const (
	xeDeviceQuery    = 0xC0286440 // DRM_IOCTL_XE_DEVICE_QUERY, 40 bytes
	xeMemRegions     = 1          // DRM_XE_DEVICE_QUERY_MEM_REGIONS
	i915Query        = 0xC0106479 // DRM_IOCTL_I915_QUERY, 16 bytes
	i915MemRegions   = 4          // DRM_I915_QUERY_MEMORY_REGIONS
	maxRegionsAnswer = i915Header + maxRegions*regionSize
)

// intelRegions asks the kernel for the memory regions of a card. Opening its device file may need the group render. Not run
// on real hardware.
func (m Monitor) intelRegions(c pciCard) ([]byte, error) {
	if m.Root != "" {
		return nil, errors.ErrUnsupported // a made system has no device
	}
	node := ""
	for _, name := range names(filepath.Join(c.dir, "drm")) {
		if strings.HasPrefix(name, "renderD") {
			node = name
		}
	}
	if node == "" {
		return nil, os.ErrNotExist
	}
	f, err := os.OpenFile(filepath.Join("/dev/dri", node), os.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if c.driver == "i915" {
		return i915Regions(f.Fd())
	}
	return xeRegions(f.Fd())
}

// xeRegions asks twice: for the size of the answer, then for the answer.
func xeRegions(fd uintptr) ([]byte, error) {
	q := struct {
		extensions  uint64
		query, size uint32
		data        uint64
		reserved    [2]uint64
	}{query: xeMemRegions}
	if err := ioctl(fd, xeDeviceQuery, unsafe.Pointer(&q)); err != nil {
		return nil, err
	}
	if q.size == 0 || q.size > maxRegionsAnswer {
		return nil, errors.New("the kernel's answer has an unlikely size")
	}
	answer := make([]byte, q.size)
	var pin runtime.Pinner // the kernel is given addresses inside of structs, which the collector does not see
	defer pin.Unpin()
	pin.Pin(&answer[0])
	q.data = uint64(uintptr(unsafe.Pointer(&answer[0])))
	err := ioctl(fd, xeDeviceQuery, unsafe.Pointer(&q))
	return answer, err
}

func i915Regions(fd uintptr) ([]byte, error) {
	item := &struct {
		query  uint64
		length int32
		flags  uint32
		data   uint64
	}{query: i915MemRegions}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(item)
	q := struct {
		items, flags uint32
		pointer      uint64
	}{items: 1, pointer: uint64(uintptr(unsafe.Pointer(item)))}
	if err := ioctl(fd, i915Query, unsafe.Pointer(&q)); err != nil {
		return nil, err
	}
	if item.length <= 0 || item.length > maxRegionsAnswer {
		return nil, errors.New("the kernel's answer has an unlikely size")
	}
	answer := make([]byte, item.length)
	pin.Pin(&answer[0])
	item.data = uint64(uintptr(unsafe.Pointer(&answer[0])))
	err := ioctl(fd, i915Query, unsafe.Pointer(&q))
	if err == nil && item.length < 0 {
		err = unix.Errno(-item.length)
	}
	return answer, err
}

func ioctl(fd, request uintptr, p unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, request, uintptr(p)); errno != 0 {
		return errno
	}
	return nil
}
