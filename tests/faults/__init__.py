"""What happens when disks, folders, descriptors and clocks give way."""
